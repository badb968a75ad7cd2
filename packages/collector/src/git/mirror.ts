import { devNull } from 'node:os';
import { dirname } from 'node:path';
import type { Environment } from '@vitrine/config';
import { CloneShelf, hasAbandonedLock, type Clone } from './clone-shelf.js';
import { networkEnvironment } from './git-environment.js';
import { GitError } from './git-error.js';
import { readGit, streamGit } from './git-process.js';
import { privateFolder } from './private-folder.js';
import { asksForFetch, parseRemote, type RemoteRefs } from './remote-refs.js';

export interface MirrorOptions {
  readonly address: string;
  /** Folder of all clones; made when it is missing. */
  readonly cacheFolder: string;
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Longest silent packing; it goes on at the next run. */
const PACKING_MS = 1_800_000;
/**
 * Longest check of a clone, as a multiple of git's longest silence. A clone that takes longer counts as healthy: it is replaced only when git
 * has found damage.
 */
const CHECK_FACTOR = 3;

/**
 * The bare clone of an address, branches and tags only. The address is never written down, since it may come with secrets. Whether a clone
 * is damaged is told by git's own check of it and never by words, which a remote can send.
 */
export class Mirror {
  readonly #options: MirrorOptions;
  readonly #folder: string;
  readonly #shelf: CloneShelf;

  private constructor(options: MirrorOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    this.#shelf = new CloneShelf(folder, options.address);
  }

  /** Throws a {@link GitError} when other users could change what is in the folder of clones. */
  static async open(options: MirrorOptions): Promise<Mirror> {
    const mirror = new Mirror(options, await privateFolder(options.cacheFolder));
    await mirror.#shelf.sweep(Date.now());
    return mirror;
  }

  /** Brings the clone up to date, and makes it when there is none. A run that was cut off at any point is completed by the next. */
  async update(): Promise<Clone> {
    const remote = await this.#remote();
    const current = await this.#shelf.current();
    if (current?.isTrusted !== true) return this.#succeed(current, remote);
    try {
      await this.#bring(current.gitDir, remote);
      return current;
    } catch (error) {
      if (!(await this.#isDamaged(current, error, false))) throw error;
      return this.#succeed(current, remote);
    }
  }

  /** A clone in the place of one that could not be read; `null` when the clone is not the reason. */
  async successor(clone: Clone, error: unknown): Promise<Clone | null> {
    return (await this.#isDamaged(clone, error, true)) ? this.#succeed(clone, await this.#remote()) : null;
  }

  async #remote(): Promise<RemoteRefs> {
    return parseRemote(await this.#network(['ls-remote', '--quiet', '--symref', '--', this.#options.address]));
  }

  /** Unless another process has already replaced the former one. */
  async #succeed(former: Clone | null, remote: RemoteRefs): Promise<Clone> {
    const current = await this.#shelf.current();
    if (current !== null && current.generation !== former?.generation) return current;
    const made = await this.#shelf.succeed(current, async (gitDir) => {
      // An empty template: no hooks.
      await this.#network(['init', '--quiet', '--bare', '--template=', `--object-format=${remote.objectFormat}`, '--', gitDir]);
      await this.#bring(gitDir, remote);
    });
    await this.#shelf.sweep(Date.now());
    return made;
  }

  async #bring(gitDir: string, remote: RemoteRefs): Promise<void> {
    const own = (args: readonly string[], timeoutMs?: number) => this.#network([`--git-dir=${gitDir}`, ...args], timeoutMs);
    const listed = await own(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/', 'refs/tags/']);
    const refs = listed.split('\n').flatMap((line): [string, string][] => {
      const [sha = '', name = ''] = line.split(' ');
      return name === '' ? [] : [[name, sha]];
    });
    if (asksForFetch(remote, new Map(refs))) {
      await own(fetchOf(this.#options.address, remote));
      await own(['-c', 'gc.auto=6700', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'], PACKING_MS);
    }
    // HEAD is what tells the default branch, and a fetch does not move it.
    if (remote.detachedHead !== null) await own(['update-ref', '--no-deref', 'HEAD', remote.detachedHead]);
    else if (remote.head !== null) await own(['symbolic-ref', 'HEAD', remote.head]);
  }

  /** Asked only when git ended by itself: a git that was stopped or never answered tells nothing about the clone. */
  async #isDamaged({ gitDir, generation }: Clone, error: unknown, isReading: boolean): Promise<boolean> {
    if (!(error instanceof GitError) || error.exitCode === null) return false;
    if ((await this.#shelf.current())?.generation !== generation) return true;
    if (await hasAbandonedLock(gitDir, Date.now())) return true;
    if (await this.#findsDamage(gitDir, ['--connectivity-only'])) return true;
    // The content of files, which only reading needs, takes much longer to check.
    return isReading && this.#findsDamage(gitDir, []);
  }

  async #findsDamage(gitDir: string, options: readonly string[]): Promise<boolean> {
    const { signal, timeoutMs } = this.#options;
    const longestMs = CHECK_FACTOR * timeoutMs;
    const args = [`--git-dir=${gitDir}`, 'fsck', '--no-dangling', '--no-progress', ...options];
    const call = { ...this.#call(args, longestMs), signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]) };
    try {
      // What it prints is dropped: of a large clone it can be much.
      for await (const piece of streamGit(call)) piece.fill(0);
      return false;
    } catch (error) {
      signal.throwIfAborted();
      return error instanceof GitError && error.exitCode !== null;
    }
  }

  /** Git with the user's own configuration and credentials. */
  async #network(args: readonly string[], timeoutMs?: number): Promise<string> {
    return (await readGit(this.#call(args, timeoutMs))).toString('utf8');
  }

  #call(args: readonly string[], timeoutMs = this.#options.timeoutMs) {
    const { environment, signal } = this.#options;
    const settings = ['-c', 'gc.auto=0', '-c', 'credential.interactive=false', '-c', `core.hooksPath=${devNull}`];
    // A repository that the folder of clones happens to be in has nothing to say.
    const own = { ...networkEnvironment(environment), GIT_CEILING_DIRECTORIES: dirname(this.#folder) };
    return { args: [...settings, ...args], folder: this.#folder, environment: own, timeoutMs, signal };
  }
}

function fetchOf(address: string, { detachedHead }: RemoteRefs): string[] {
  const flags = [
    '--prune',
    '--force',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
    '--update-head-ok',
    '--progress',
  ];
  const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*', ...(detachedHead === null ? [] : ['HEAD'])];
  return ['fetch', ...flags, '--', address, ...refspecs];
}
