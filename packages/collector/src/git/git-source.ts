import type { Environment, GitLocation } from '@vitrine/config';
import { nameOfRef, type Instant, type RepositoryName, type RepositoryRef } from '@vitrine/core';
import type { RunReport, Source, SourceContext } from '../source.js';
import type { Registration } from '../sync-records.js';
import { isRefusal } from './available-commits.js';
import { branchScope, type BranchChoice } from './branch-scope.js';
import type { Clone } from './clone-shelf.js';
import { openFolder, type FolderRepository } from './folder-repository.js';
import { ForgeAddresses, type ForgeStyle } from './forge-addresses.js';
import { readingEnvironment } from './git-environment.js';
import { parseGitLocation } from './git-location.js';
import type { GitOrigin } from './git-origin.js';
import { collectRefs } from './collect-refs.js';
import { readRefs } from './git-refs.js';
import { Git } from './git.js';
import { Mirror } from './mirror.js';

/** What a git source is made from. */
export interface GitSourceOptions {
  /** A folder, bare or not, that is read in place; or a clone address: http(s), ssh, git, file or `host:path`. Never with a password. */
  readonly location: string;
  readonly ref: RepositoryRef;
  readonly name: RepositoryName;
  /** The repository's public address: every shown address is derived from it. */
  readonly url: string;
  /** What the origin is called where records are shown. */
  readonly label: string;
  readonly intervalMs: number;
  /** Folder that holds the clones. */
  readonly cacheFolder: string;
  /** The process's environment variables, which may carry git's credentials. */
  readonly environment: Environment;
  /** Longest silence of git before it is ended; 2 minutes without it. */
  readonly timeoutMs?: number;
  /** How the forge spells its addresses; its host's name decides without it. */
  readonly forge?: ForgeStyle | null;
  /** Of a folder: the remote whose branches are shown. Without it the one whose address is `url`, else `origin`, else the only one. */
  readonly remote?: string | null;
  /** Patterns of the branches that are shown, or `local` for a folder's own ones; all that are public without it. */
  readonly branches?: BranchChoice;
}

const DEFAULT_TIMEOUT_MS = 120_000;

interface GitRun {
  readonly context: SourceContext;
  readonly startedAt: Instant;
}

/**
 * Commits of all branches, and a release for each tag, of one git repository. What vanished there vanishes here: the repository is the
 * whole truth about its commits and releases. Throws a `GitError` when it cannot be read; what was stored then stays.
 */
export class GitSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly registration: Registration;
  readonly #options: GitSourceOptions;
  readonly #location: GitLocation;
  readonly #origin: GitOrigin;
  /** Whether a new clone was made and could not be read either. */
  #isRenewed = false;

  /** Throws a `GitError` when the location is malformed. */
  constructor(options: GitSourceOptions) {
    this.id = `git ${nameOfRef(options.ref)}`;
    this.intervalMs = options.intervalMs;
    this.registration = {
      id: `git:${nameOfRef(options.ref)}`,
      sourceType: 'git',
      label: options.name.fullName,
      repositoryRef: options.ref,
      feeds: ['repository', 'commit', 'release'],
    };
    this.#options = options;
    this.#location = parseGitLocation(options.location);
    this.#origin = { ref: options.ref, name: options.name, addresses: new ForgeAddresses(options.url, options.forge), label: options.label };
  }

  async run(context: SourceContext): Promise<RunReport> {
    const startedAt = context.clock.now();
    const { environment, cacheFolder } = this.#options;
    if (this.#location.kind === 'address') return this.#runClone({ context, startedAt }, this.#location.address, cacheFolder);
    const options = { environment: readingEnvironment(environment), timeoutMs: this.#timeoutMs, signal: context.signal };
    return this.#collect({ context, startedAt }, await openFolder(this.#location.path, options), true);
  }

  async #runClone(run: GitRun, address: string, cacheFolder: string): Promise<RunReport> {
    const { context } = run;
    const { signal } = context;
    context.progress(0, 'fetched');
    const mirror = await Mirror.open({ address, cacheFolder, environment: this.#options.environment, timeoutMs: this.#timeoutMs, signal });
    const clone = await mirror.update();
    try {
      return await this.#collectClone(run, clone);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return this.#collectDamaged(run, mirror, clone, error);
    }
  }

  /** Reads a new clone; without one, or where that cannot be read either, what can be read. */
  async #collectDamaged(run: GitRun, mirror: Mirror, clone: Clone, error: unknown): Promise<RunReport> {
    // Where a new clone did not help, another one would not either.
    const successor = this.#isRenewed ? null : await successorOf(mirror, clone, error);
    if (successor === null) return this.#collect(run, folderOf(clone), true);
    this.#isRenewed = true;
    try {
      return await this.#collectClone(run, successor);
    } catch (again) {
      if (!isRefusal(again)) throw again;
      return this.#collect(run, folderOf(successor), true);
    }
  }

  async #collectClone(run: GitRun, clone: Clone): Promise<RunReport> {
    const report = await this.#collect(run, folderOf(clone), false);
    this.#isRenewed = false;
    return report;
  }

  async #collect({ context, startedAt }: GitRun, repository: FolderRepository, toleratesGaps: boolean): Promise<RunReport> {
    const { environment, location, url, branches = null } = this.#options;
    // A clone has no remotes.
    const remote = this.#location.kind === 'folder' ? (this.#options.remote ?? null) : null;
    const git = new Git({
      gitDir: repository.gitDir,
      environment: readingEnvironment(environment),
      timeoutMs: this.#timeoutMs,
      signal: context.signal,
    });
    const scope = await branchScope(git, repository, { location, url, remote, branches });
    const refs = await readRefs(git, repository, scope);
    const shown = git.withMailmapOf(refs.branches.find(({ name }) => name === refs.defaultBranch)?.sha ?? refs.detachedHead);
    return collectRefs({ context, git: shown, refs, origin: this.#origin, startedAt, source: this, toleratesGaps });
  }

  get #timeoutMs(): number {
    return this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }
}

function folderOf({ gitDir }: Clone): FolderRepository {
  return { gitDir, commonDir: gitDir, isBare: true };
}

/** `null` also where the remote has answered, but cannot give a whole clone. */
async function successorOf(mirror: Mirror, clone: Clone, error: unknown): Promise<Clone | null> {
  try {
    return await mirror.successor(clone, error);
  } catch (refusal) {
    if (isRefusal(refusal)) return null;
    throw refusal;
  }
}
