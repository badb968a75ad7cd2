import type { Environment, GitLocation, GitSourceConfig } from '@vitrine/config';
import { nameOfRef, type Instant, type RepositoryRef } from '@vitrine/core';
import { RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import { isRefusal } from './available-commits.js';
import type { Clone } from './clone-shelf.js';
import { folderOf, openFolder, type FolderRepository } from './local-repository.js';
import { ForgeAddresses } from './forge-addresses.js';
import { parseGitLocation } from './remote-address.js';
import type { GitCollection, GitOrigin } from './git-collection.js';
import { collectRefs } from './collect-refs.js';
import { Mirror } from './mirror.js';
import { privateFolder } from './private-folder.js';
import { readSourceRefs, type RemoteRefs, type SourceRefsOptions } from './git-refs.js';

type Chosen = 'forge' | 'remote' | 'branches';

/** The options of a git source: what the configuration says, and where and how git runs. */
export interface GitSourceOptions extends Omit<GitSourceConfig, 'kind' | 'findings' | Chosen>, Partial<Pick<GitSourceConfig, Chosen>> {
  readonly cacheFolder: string;
  /** The environment variables of the process, which may contain git's credentials. */
  readonly environment: Environment;
  /** The longest time without output before git is stopped; 2 minutes by default. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 120_000;

/**
 * The source for one git repository: the commits of its branches, and a release for each tag. Commits and tags that disappear from the repository are removed from the
 * store. Throws a `GitError` if the repository cannot be read; the stored records then stay.
 */
export class GitSource extends RegisteredSource {
  readonly isRemote: boolean;
  readonly #options: GitSourceOptions;
  readonly #location: GitLocation;
  readonly #origin: GitOrigin;
  readonly #tagWarnings: GitCollection['tagWarnings'] = { lines: [] };
  /** Whether a new clone was made, and none could be read without gaps since. */
  #isRenewed = false;

  constructor(options: GitSourceOptions) {
    const name = nameOfRef(options.ref);
    super(`git ${name}`, options.intervalMs, {
      id: `git:${name}`,
      sourceType: 'git',
      label: options.name.fullName,
      repositoryRef: options.ref,
      feeds: ['repository', 'commit', 'release'],
    });
    this.#options = options;
    this.#location = parseGitLocation(options.location);
    this.isRemote = this.#location.kind === 'address';
    this.#origin = originOf(options);
  }

  async run(context: SourceContext): Promise<RunReport> {
    const startedAt = context.clock.now();
    if (this.#location.kind === 'address') return this.#runClone(context, startedAt, this.#location.address);
    const repository = await openFolder(this.#location.path, { ...shownOptions(this.#options), signal: context.signal });
    return this.#collect(context, startedAt, repository, true);
  }

  async #runClone(context: SourceContext, startedAt: Instant, address: string): Promise<RunReport> {
    const { progress, signal } = context;
    progress(0, 'fetched');
    const wouldLose = (remote: RemoteRefs) => hasMoreThan(remote, this.#options.ref, context);
    const options = shownOptions(this.#options);
    const mirror = new Mirror({ ...options, address, signal, wouldLose }, await privateFolder(options.cacheFolder));
    const clone = await mirror.update();
    try {
      const report = await this.#collect(context, startedAt, folderOf(clone), false);
      this.#isRenewed = false;
      return report;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // If a new clone did not help, another one would not help either.
      const successor = this.#isRenewed ? null : await successorOf(mirror, clone, error);
      this.#isRenewed ||= successor !== null;
      return this.#collect(context, startedAt, folderOf(successor ?? clone), true);
    }
  }

  async #collect(context: SourceContext, startedAt: Instant, repository: FolderRepository, toleratesGaps: boolean): Promise<RunReport> {
    const { git, refs } = await readSourceRefs(repository, { ...shownOptions(this.#options), signal: context.signal });
    const shown = git.withMailmapOf(refs.branches.find(({ name }) => name === refs.defaultBranch)?.sha ?? refs.detachedHead);
    return collectRefs({ context, git: shown, refs, origin: this.#origin, startedAt, source: this, tagWarnings: this.#tagWarnings, toleratesGaps });
  }
}

/** Where the repository of a source is, and what decides which branches and tags of it are shown. */
export function shownOptions(options: GitSourceOptions): Omit<SourceRefsOptions, 'signal'> & Pick<GitSourceOptions, 'cacheFolder'> {
  const { environment, location, url, branches = null, timeoutMs = DEFAULT_TIMEOUT_MS, cacheFolder } = options;
  // A clone has no remotes.
  const remote = parseGitLocation(location).kind === 'folder' ? (options.remote ?? null) : null;
  return { environment, location, url, remote, branches, timeoutMs, cacheFolder };
}

export function originOf({ ref, name, url, forge, label }: GitSourceOptions): GitOrigin {
  return { ref, name, addresses: new ForgeAddresses(url, forge), label };
}

/** Whether this source has stored more than a remote without branches and tags has. Commits that only a detached HEAD reaches are on no branch. */
async function hasMoreThan({ detachedHead }: RemoteRefs, ref: RepositoryRef, context: SourceContext): Promise<boolean> {
  const branches = [...(await context.collection.commitBranches(ref, context)).values()];
  if (branches.some((branch) => branch !== null || detachedHead === null)) return true;
  return (await context.collection.releaseIds(ref, context)).size > 0;
}

/** A new clone; `null` if none is needed, and also if the remote responds but cannot provide a complete clone. */
async function successorOf(mirror: Mirror, clone: Clone, error: unknown): Promise<Clone | null> {
  try {
    return await mirror.successor(clone, error);
  } catch (refusal) {
    if (isRefusal(refusal)) return null;
    throw refusal;
  }
}
