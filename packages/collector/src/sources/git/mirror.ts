import { quotable, withoutFinalSlashes } from '@vitrine/core';
import { devNull } from 'node:os';
import { dirname } from 'node:path';
import type { OutgoingClient } from '../../fetching/outgoing-client.js';
import { OutgoingError } from '../../fetching/outgoing-response.js';
import { firstOf } from '../../running/source.js';
import { CloneShelf, hasAbandonedLock, withoutUnfinished, type Clone } from './clone-shelf.js';
import { isRefusal } from './commit-log.js';
import { networkEnvironment, type GitProcessOptions } from './git.js';
import { GitError, readGit, streamGit, type GitCall, type GitLimits } from './git-process.js';
import { asksForFetch, branchInHead, namedRefs, parseRemote, shallowEdge, type RemoteRefs } from './git-refs.js';

export interface MirrorOptions extends GitProcessOptions {
  readonly address: string;
  /** Finds the address to which a server redirects. */
  readonly client: Pick<OutgoingClient, 'request'>;
  /** Whether records are stored that would be removed because a remote names no branch and no tag. */
  readonly wouldLose: (remote: RemoteRefs) => Promise<boolean>;
  readonly limits?: Partial<MirrorLimits>;
}

export interface MirrorLimits {
  readonly listing: GitLimits;
  readonly fetching: GitLimits;
}

const GIBIBYTE = 1_073_741_824;
/** 64 MiB hold the names of about 800,000 refs. The largest well-known repositories need less than 10 GiB, and an hour or two. */
const LIMITS: MirrorLimits = {
  listing: { memoryBytes: GIBIBYTE, outputBytes: GIBIBYTE / 16 },
  fetching: { memoryBytes: 4 * GIBIBYTE, fileBytes: 20 * GIBIBYTE, totalMs: 14_400_000 },
};

/** The longest time that packing may take without output. If it is stopped, the next run continues it. */
const PACKING_MS = 1_800_000;
/** The time limit for the check of a clone, in longest times that git may be silent. A clone whose check takes longer counts as healthy. */
const CHECK_FACTOR = 3;
const NOTHING_LEFT =
  'the remote names no branch and no tag any more, so everything that was collected stays; if it was emptied on purpose, remove the source';

/** The bare clone of an address, which is not stored, because it may contain secrets. Only git's own check decides whether a clone is damaged: a remote can send any message. */
export class Mirror {
  readonly #options: MirrorOptions;
  readonly #folder: string;
  readonly #shelf: CloneShelf;
  readonly #limits: MirrorLimits;
  #address: string;
  /** Which branches and tags of the remote the clone lacks, and why. */
  leftOut: readonly string[] = [];

  /** @param folder of all clones, which only this user can change */
  constructor(options: MirrorOptions, folder: string) {
    [this.#options, this.#folder] = [options, folder];
    this.#address = options.address;
    this.#shelf = new CloneShelf(folder, options.address);
    this.#limits = { ...LIMITS, ...options.limits };
  }

  /** Updates or creates the clone, and completes what an earlier run has begun. Throws a {@link GitError} if the remote names nothing any more. */
  async update(): Promise<Clone> {
    await this.#shelf.sweep();
    const remote = await this.#remote();
    const current = await this.#shelf.current();
    if (current?.isTrusted !== true) return this.#succeed(current, remote);
    try {
      await this.#bring(current.gitDir, remote, false);
      return current;
    } catch (error) {
      if (!(await this.#isDamaged(current, error, false)) && !(await this.#isOfOtherFormat(current, remote))) throw error;
      return this.#succeed(current, remote);
    }
  }

  /** Replaces a clone that could not be read; `null` if it is not damaged, and also if the remote responds but cannot provide a complete clone. */
  async successor(clone: Clone, error: unknown): Promise<Clone | null> {
    if (!(await this.#isDamaged(clone, error, true))) return null;
    try {
      return await this.#succeed(clone, await this.#remote());
    } catch (refusal) {
      if (isRefusal(refusal)) return null;
      throw refusal;
    }
  }

  async #remote(): Promise<RemoteRefs> {
    const remote = parseRemote(await this.#listing());
    // A response that ends after its first line looks to git like the one of a repository without branches.
    this.leftOut = firstOf(remote.tooLong.map(leftOutLine), MOST_NAMED);
    if (remote.refs.size === 0 && (await this.#options.wouldLose(remote))) throw new GitError(NOTHING_LEFT);
    return remote;
  }

  async #listing(): Promise<string> {
    const list = () => this.#network(['ls-remote', '--quiet', '--symref', '--', this.#address], { limits: this.#limits.listing });
    try {
      return await list();
    } catch (error) {
      const target = await redirectedAddress(this.#address, error, this.#options);
      if (target === null) throw error;
      this.#address = target;
      return list();
    }
  }

  /** Makes a new clone, unless another process has already replaced the previous one. */
  async #succeed(former: Clone | null, remote: RemoteRefs): Promise<Clone> {
    const current = await this.#shelf.current();
    if (current !== null && current.generation !== former?.generation) return current;
    const made = await this.#shelf.succeed(current, async (gitDir) => {
      const branch = remote.head === null ? [] : [`--initial-branch=${remote.head.slice('refs/heads/'.length)}`];
      // The empty template keeps git from adding hooks.
      await this.#network(['init', '--quiet', '--bare', '--template=', `--object-format=${remote.objectFormat}`, ...branch, '--', gitDir]);
      await this.#bring(gitDir, remote, true);
    });
    await this.#shelf.sweep();
    return made;
  }

  async #bring(gitDir: string, remote: RemoteRefs, isNew: boolean): Promise<void> {
    const refs = async () => namedRefs(await this.#in(gitDir, ['for-each-ref', '--format=%(objectname)%09%(refname)', 'refs/heads/', 'refs/tags/']));
    const isShallow = async () => (await shallowEdge({ commonDir: gitDir })).length > 0;
    // If the remote was shallow, it may have more history now.
    if ((await isShallow()) || asksForFetch(remote, isNew ? new Map() : await refs())) {
      const input = remote.tooLong.map((name) => `^${name}\n`);
      const limits = this.#limits.fetching;
      const fetch = () =>
        withoutUnfinished(gitDir, async () => this.#in(gitDir, fetchOf(this.#address, remote, await isShallow()), { limits, input }));
      await fetch();
      // A fetch reads the list of refs again. Git does not notice if that list was cut off between two lines, so the fetch is repeated if a ref is missing.
      const fetched = await refs();
      if ([...remote.refs.keys()].some((name) => !fetched.has(name))) await fetch();
      // A new clone is packed already.
      if (!isNew) await this.#in(gitDir, ['-c', 'gc.auto=6700', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'], { timeoutMs: PACKING_MS });
    }
    await this.#followHead(gitDir, remote);
  }

  /** The default branch is read from HEAD, and a fetch does not update HEAD. */
  async #followHead(gitDir: string, remote: RemoteRefs): Promise<void> {
    if (remote.detachedHead !== null) await this.#in(gitDir, ['update-ref', '--no-deref', 'HEAD', remote.detachedHead]);
    else if (remote.head !== null && remote.head !== (await branchInHead(gitDir))) await this.#in(gitDir, ['symbolic-ref', 'HEAD', remote.head]);
  }

  /** Only checked if git itself exited. If git was stopped or did not respond, that says nothing about the clone. */
  async #isDamaged({ gitDir, generation }: Clone, error: unknown, isReading: boolean): Promise<boolean> {
    if (!(error instanceof GitError) || error.exitCode === null) return false;
    if ((await this.#shelf.current())?.generation !== generation) return true;
    if (await hasAbandonedLock(gitDir)) return true;
    if (await this.#findsDamage(gitDir, ['--connectivity-only'])) return true;
    // The content of files is needed only for reading, and takes much longer to check.
    return isReading && this.#findsDamage(gitDir, []);
  }

  /** Whether the remote names its objects in another way, as after it was created again. Git cannot fetch them into this clone. */
  async #isOfOtherFormat({ gitDir }: Clone, { refs, objectFormat }: RemoteRefs): Promise<boolean> {
    return refs.size > 0 && (await this.#in(gitDir, ['rev-parse', '--show-object-format'])).trim() !== objectFormat;
  }

  async #findsDamage(gitDir: string, options: readonly string[]): Promise<boolean> {
    const totalMs = CHECK_FACTOR * this.#options.timeoutMs;
    const call = this.#call([`--git-dir=${gitDir}`, 'fsck', '--no-dangling', '--no-progress', ...options]);
    try {
      // The output is discarded, because it can be long for a large clone.
      for await (const piece of streamGit({ ...call, timeoutMs: totalMs, limits: { totalMs } })) piece.fill(0);
      return false;
    } catch (error) {
      this.#options.signal.throwIfAborted();
      return error instanceof GitError && error.exitCode !== null;
    }
  }

  #in(gitDir: string, args: readonly string[], changes?: Partial<GitCall>): Promise<string> {
    return this.#network([`--git-dir=${gitDir}`, ...args], changes);
  }

  async #network(args: readonly string[], changes?: Partial<GitCall>): Promise<string> {
    return (await readGit({ ...this.#call(args), ...changes })).toString('utf8');
  }

  #call(args: readonly string[]) {
    const { environment, signal, timeoutMs } = this.#options;
    // Git follows no redirect by itself, because it would follow one into the network of this machine.
    const settings = ['gc.auto=0', 'credential.interactive=false', `core.hooksPath=${devNull}`, 'http.followRedirects=false'];
    // Git must not use a repository that happens to contain the folder of clones.
    const own = { ...networkEnvironment(environment), GIT_CEILING_DIRECTORIES: dirname(this.#folder) };
    return { args: [...settings.flatMap((setting) => ['-c', setting]), ...args], folder: this.#folder, environment: own, timeoutMs, signal };
  }
}

const MOST_NAMED = 20;

function leftOutLine(ref: string): string {
  const [, folder = '', name = ''] = /^refs\/(\w+)\/(.*)$/.exec(ref) ?? [];
  return `${folder === 'tags' ? 'tag' : 'branch'} "${quotable(name)}" was left out: its name, or a part of it, is too long for a file system`;
}

/** Refs that are left out are read from the input. */
function fetchOf(address: string, { detachedHead }: RemoteRefs, isShallow: boolean): string[] {
  // Without the first flag, git leaves out what a shallow remote has, and exits with 0.
  const flags = ['--update-shallow', '--prune', '--force', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance'];
  const more = ['--update-head-ok', '--progress', '--stdin', ...(isShallow ? ['--unshallow'] : [])];
  const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*', ...(detachedHead === null ? [] : ['HEAD'])];
  return ['fetch', ...flags, ...more, '--', address, ...refspecs];
}

/** What git says then. A remote can send this text too, but all that follows is a guarded request. */
const REDIRECTED = /The requested URL returned error: 30[12378]\b/;
/** What git asks first. Git itself requires that the redirect keeps it. */
const FIRST_REQUEST = '/info/refs?service=git-upload-pack';
/** Servers of an old version list all refs in their first response. */
const MOST_BYTES = 67_108_864;

/** The clone address to which a server redirects; `null` if git has failed for another reason. Throws a {@link SourceError} if the redirect cannot be followed. */
export async function redirectedAddress(
  address: string,
  error: unknown,
  { client, signal }: Pick<MirrorOptions, 'client' | 'signal'>,
): Promise<string | null> {
  if (!isRedirect(error) || !/^https?:/i.test(address)) return null;
  const asked = `${withoutFinalSlashes(address)}${FIRST_REQUEST}`;
  try {
    // With this header, servers of the present version do not list refs.
    const headers = { 'git-protocol': 'version=2' };
    const { url } = await client.request({ url: asked, headers, allowPrivate: true, maxBytes: MOST_BYTES, signal });
    if (url !== asked && url.endsWith(FIRST_REQUEST)) return url.slice(0, -FIRST_REQUEST.length);
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof OutgoingError && failure.reason === 'private redirect') throw failure;
  }
  throw new GitError(`${error.message} (the server redirects: give the address to which it does)`);
}

function isRedirect(error: unknown): error is GitError {
  return error instanceof GitError && REDIRECTED.test(error.message);
}
