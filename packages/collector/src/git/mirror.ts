import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../config/environment.js';
import type { FolderRepository } from './folder-repository.js';
import { networkEnvironment } from './git-environment.js';
import { GitError } from './git-error.js';
import { readGit } from './git-process.js';
import { asksForFetch, parseRemote, type RemoteRefs } from './remote-refs.js';

export interface MirrorOptions {
  readonly address: string;
  /** Folder of all clones; made when it is missing. */
  readonly cacheFolder: string;
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const DAMAGE =
  /bad object|bad tree|all necessary objects|corrupt|unable to read|not a git repository|missing (blob|tree|commit)|invalid sha1|broken/i;

/** Longest silent packing; it goes on at the next run. */
const PACKING_MS = 1_800_000;

/**
 * Brings the bare clone of an address up to date, branches and tags only, and makes it when there is none. A run that was cut off at any
 * point is completed by the next. The address is never written down, since it may come with secrets.
 */
export async function updateMirror(options: MirrorOptions): Promise<FolderRepository> {
  const gitDir = mirrorFolder(options);
  await mkdir(options.cacheFolder, { recursive: true });
  const mirror = new Mirror(gitDir, options);
  const remote = parseRemote(await mirror.network(['ls-remote', '--quiet', '--symref', '--', options.address]));
  await mirror.make(remote);
  if (asksForFetch(remote, await mirror.refs())) await mirror.fetch(remote);
  await mirror.follow(remote);
  return { gitDir, commonDir: gitDir };
}

/** Where the clone of an address is. */
export function mirrorFolder({ address, cacheFolder }: Pick<MirrorOptions, 'address' | 'cacheFolder'>): string {
  return join(cacheFolder, `${createHash('sha256').update(address).digest('hex').slice(0, 32)}.git`);
}

/** Whether an error tells of a clone that lost objects or refs, as after a power cut. It can be made anew. */
export function isDamage(error: unknown): boolean {
  return error instanceof GitError && error.says(DAMAGE);
}

class Mirror {
  readonly #gitDir: string;
  readonly #options: MirrorOptions;

  constructor(gitDir: string, options: MirrorOptions) {
    this.#gitDir = gitDir;
    this.#options = options;
  }

  /** Git with the user's own configuration and credentials. */
  async network(args: readonly string[], timeoutMs = this.#options.timeoutMs): Promise<string> {
    const { cacheFolder, environment, signal } = this.#options;
    const settings = ['-c', 'gc.auto=0', '-c', 'credential.interactive=false', '-c', `core.hooksPath=${devNull}`];
    const call = { args: [...settings, ...args], folder: cacheFolder, environment: networkEnvironment(environment), timeoutMs, signal };
    return (await readGit(call)).toString('utf8');
  }

  async make(remote: RemoteRefs): Promise<void> {
    if ((await stat(join(this.#gitDir, 'HEAD')).catch(() => null)) !== null) return;
    // An empty template: no hooks.
    await this.network(['init', '--quiet', '--bare', '--template=', `--object-format=${remote.objectFormat}`, '--', this.#gitDir]);
  }

  async refs(): Promise<ReadonlyMap<string, string>> {
    const listed = await this.#own(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/', 'refs/tags/']);
    return new Map(
      listed.split('\n').flatMap((line) => (line === '' ? [] : [[line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]])),
    );
  }

  async fetch(remote: RemoteRefs): Promise<void> {
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
    const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*', ...(remote.detachedHead === null ? [] : ['HEAD'])];
    await this.#own(['fetch', ...flags, '--', this.#options.address, ...refspecs]);
    await this.network([`--git-dir=${this.#gitDir}`, '-c', 'gc.auto=6700', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'], PACKING_MS);
  }

  /** HEAD is what tells the default branch, and a fetch does not move it. */
  async follow({ head, detachedHead }: RemoteRefs): Promise<void> {
    if (detachedHead !== null) await this.#own(['update-ref', '--no-deref', 'HEAD', detachedHead]);
    else if (head !== null) await this.#own(['symbolic-ref', 'HEAD', head]);
  }

  async #own(args: readonly string[]): Promise<string> {
    return this.network([`--git-dir=${this.#gitDir}`, ...args]);
  }
}
