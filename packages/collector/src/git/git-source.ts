import { rm } from 'node:fs/promises';
import { nameOfRef, type RepositoryName, type RepositoryRef } from '@vitrine/core';
import type { Environment } from '../config/environment.js';
import type { RunReport, Source, SourceContext } from '../source.js';
import { openFolder, type FolderRepository } from './folder-repository.js';
import { ForgeAddresses, type ForgeStyle } from './forge-addresses.js';
import { readingEnvironment } from './git-environment.js';
import { parseGitLocation, type GitLocation } from './git-location.js';
import type { GitOrigin } from './git-origin.js';
import { collectRefs } from './git-collection.js';
import { readRefs } from './git-refs.js';
import { Git } from './git.js';
import { isDamage, mirrorFolder, updateMirror } from './mirror.js';

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
}

const DEFAULT_TIMEOUT_MS = 120_000;

/**
 * Commits of all branches, and a release for each tag, of one git repository. What vanished there vanishes here: the repository is the
 * whole truth about its commits and releases. Throws a `GitError` when it cannot be read; what was stored then stays.
 */
export class GitSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly #options: GitSourceOptions;
  readonly #location: GitLocation;
  readonly #origin: GitOrigin;

  /** Throws a `GitError` when the location is malformed. */
  constructor(options: GitSourceOptions) {
    this.id = `git ${nameOfRef(options.ref)}`;
    this.intervalMs = options.intervalMs;
    this.#options = options;
    this.#location = parseGitLocation(options.location);
    this.#origin = { ref: options.ref, name: options.name, addresses: new ForgeAddresses(options.url, options.forge), label: options.label };
  }

  async run(context: SourceContext): Promise<RunReport> {
    try {
      return await this.#collect(context);
    } catch (error) {
      if (this.#location.kind === 'folder' || !isDamage(error)) throw error;
      await rm(mirrorFolder({ address: this.#location.address, cacheFolder: this.#options.cacheFolder }), { recursive: true, force: true });
      return this.#collect(context);
    }
  }

  async #collect(context: SourceContext): Promise<RunReport> {
    const { environment, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    const repository = await this.#open(context);
    const git = new Git({ gitDir: repository.gitDir, environment: readingEnvironment(environment), timeoutMs, signal: context.signal });
    const refs = await readRefs(git, repository);
    return collectRefs({ context, git, refs, origin: this.#origin, id: this.id, intervalMs: this.intervalMs });
  }

  async #open({ signal, progress }: SourceContext): Promise<FolderRepository> {
    const { cacheFolder, environment, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    if (this.#location.kind === 'folder') return openFolder(this.#location.path, { environment: readingEnvironment(environment), timeoutMs, signal });
    progress(0, 'fetched');
    return updateMirror({ address: this.#location.address, cacheFolder, environment, timeoutMs, signal });
  }
}
