import type { GitSourceConfig } from '@vitrine/config';
import { grouped } from '@vitrine/core';
import { GitError } from './git-process.js';
import type { Git } from './git.js';
import type { FolderRepository } from './local-repository.js';

export interface BranchScope {
  /** The remote that the branches belong to; `null` for the repository's own branches. */
  readonly remote: string | null;
  /** The prefix of their refs, such as `refs/remotes/origin/`. */
  readonly folder: string;
  readonly patterns: readonly string[] | null;
  /** Whether a ref below `folder` is a branch of that remote. The given name does not contain `folder`. */
  readonly isBranch: (name: string) => boolean;
  /** Whether all of the repository's own branches are shown. Then all its tags and its detached HEAD are shown too. */
  readonly isWhole: boolean;
}

/** What the configuration says. Without `branches`, the kind of repository decides which are shown. */
export type ScopeOptions = Pick<GitSourceConfig, 'location' | 'url' | 'remote' | 'branches'>;

/** A working copy shows the branches of its remote, because others may not be public yet. Throws a `GitError` if that remote is ambiguous, or may keep branches of other repositories. */
export async function branchScope(git: Git, { isBare }: Pick<FolderRepository, 'isBare'>, options: ScopeOptions): Promise<BranchScope> {
  const { location, remote, branches } = options;
  const patterns = branches === 'local' ? null : branches;
  const own = { remote: null, folder: 'refs/heads/', patterns, isBranch: () => true, isWhole: patterns === null };
  if (branches === 'local' || (isBare && remote === null)) return own;
  const remotes = await readRemotes(git);
  const chosen = await chooseRemote(git, remotes, options);
  if (chosen === null) return own;
  // If a person has listed the branches, that person has decided that they are public.
  if (patterns === null) await refuseOtherRepositories(git, chosen, remotes, location);
  const folder = folderOf(chosen.name);
  // If there is a remote `team` and a remote `team/secret`, the refs of the second are below the folder of the first.
  const longer = remotes.filter(({ name }) => name.startsWith(`${chosen.name}/`)).map(({ name }) => ({ start: folderOf(name), end: '' }));
  // Fetched refs can also be no branches of the remote, such as pull requests of anybody.
  const foreign = chosen.refspecs.filter(({ source }) => source.startsWith('refs/') && !source.startsWith('refs/heads/'));
  const elsewhere = [...longer, ...foreign];
  const isBranch = (name: string) => !elsewhere.some((place) => holds(place, `${folder}${name}`));
  return { remote: chosen.name, folder, patterns, isBranch, isWhole: false };
}

function folderOf(remote: string): string {
  return `refs/remotes/${remote}/`;
}

type Refspec = ReturnType<typeof refspecOf>;

/** @param text a fetch setting, such as `+refs/heads/*:refs/remotes/origin/*`. Without a star, `start` is the name of the only ref, and `end` is missing. */
function refspecOf(text: string) {
  const [source = '', target = ''] = text.replace(/^\+/, '').split(':');
  const [start = '', end] = target.split('*');
  return { source, start, end };
}

function holds({ start, end }: Omit<Refspec, 'source'>, ref: string): boolean {
  return end === undefined ? ref === start : ref.startsWith(start) && ref.endsWith(end);
}

interface GitRemote {
  readonly name: string;
  /** As configured. They can contain passwords, so no message shows them. */
  readonly addresses: readonly string[];
  /** Those to push to; none if they are the same. */
  readonly pushAddresses: readonly string[];
  /** Whether git uses the addresses as they are configured. Otherwise a remote helper handles them, or git rewrites them. */
  readonly areFinal: boolean;
  readonly refspecs: readonly Refspec[];
}

const SETTING = /(?<=^|\0)remote\.([^\0\n]+)\.([a-z]+)(?:\n([^\0]*))?/g;
const REWRITE = /(?<=^|\0)url\./;

async function readRemotes(git: Git): Promise<readonly GitRemote[]> {
  const names = String.raw`^(remote\..*\.(url|pushurl|fetch|vcs)|url\..*\.(insteadof|pushinsteadof))$`;
  const settings = (await git.answer(['config', '-z', '--get-regexp', names])) ?? '';
  const all = [...settings.matchAll(SETTING)].map(([, name = '', key = '', value = '']) => ({ name, key, value }));
  return [...grouped(all, ({ name }) => name)].map(([name, own]) => {
    const valuesOf = (wanted: string) => own.filter(({ key }) => key === wanted).map(({ value }) => value);
    const [addresses, pushAddresses] = [valuesOf('url'), valuesOf('pushurl')];
    // An empty address removes those before it.
    const isPlain = addresses.length > 0 && ![...addresses, ...pushAddresses].includes('') && valuesOf('vcs').length === 0;
    return { name, addresses, pushAddresses, areFinal: isPlain && !REWRITE.test(settings), refspecs: valuesOf('fetch').map(refspecOf) };
  });
}

/** The configured remote, or else the one with the repository's public address, or else `origin`, or else the only one; `null` if there is none. */
async function chooseRemote(git: Git, remotes: readonly GitRemote[], { location, remote, url }: ScopeOptions): Promise<GitRemote | null> {
  const names = remotes.map(({ name }) => name).sort();
  const choices = `set the key remote to one of ${names.join(', ')}`;
  if (remote !== null) {
    const remedy = names.length === 0 ? 'it has none: leave the key remote out' : choices;
    return remotes.find(({ name }) => name === remote) ?? refuse(`"${location}" has no remote "${remote}"; ${remedy}`);
  }
  if (remotes.length < 2) return remotes[0] ?? null;
  const why = `none of them is called origin or has the address ${url}`;
  return (await likeliest(git, remotes, url)) ?? refuse(`"${location}" has several remotes, and ${why}; ${choices}`);
}

async function likeliest(git: Git, remotes: readonly GitRemote[], url: string): Promise<GitRemote | undefined> {
  const equal: GitRemote[] = [];
  for (const remote of remotes) {
    const addresses = [...remote.addresses, ...(await addressesOf(git, remote))];
    if (addresses.some((address) => sameRepository(address, url))) equal.push(remote);
  }
  const isOrigin = ({ name }: GitRemote) => name === 'origin';
  return equal.find(isOrigin) ?? equal[0] ?? remotes.find(isOrigin);
}

function refuse(message: string): never {
  throw new GitError(message);
}

/** Common values that disable pushing: `no_push`, `DISABLED`, `none`, `/dev/null`. */
const NOWHERE = /^(?:[\w-]*(?:push|disable)[\w-]*|none|\/dev\/null)$/i;

const REMEDY = 'give the clone address instead of the folder, or list the public branches in the key branches';

/** Throws a {@link GitError} if the branches of the chosen remote can come from another repository than the one that it fetches from. They would look public, but may not be. */
async function refuseOtherRepositories(git: Git, chosen: GitRemote, remotes: readonly GitRemote[], location: string): Promise<void> {
  const [fetched] = await addressesOf(git, chosen);
  const isSame = (address: string) => fetched !== undefined && (address === fetched || sameRepository(address, fetched));
  const isElsewhere = (address: string) => !NOWHERE.test(address) && !isSame(address);
  const { name } = chosen;
  if ((await addressesOf(git, chosen, '--push')).some(isElsewhere))
    refuse(
      `"${location}" pushes to another repository than the one that its remote "${name}" fetches from, and git does not record which branches are public: ` +
        `${REMEDY}, or remove what redirects pushes (remote.${name}.pushurl, a second remote.${name}.url, or url.*.pushInsteadOf)`,
    );
  for (const other of remotes.filter((remote) => isBeside(remote, chosen))) {
    const addresses = [...(await addressesOf(git, other)), ...(await addressesOf(git, other, '--push'))];
    if (addresses.length === 0 || addresses.some(isElsewhere))
      refuse(
        `"${location}" keeps branches of its remote "${other.name}" among those of "${name}", and git does not record which of them are public: ` +
          `${REMEDY}, or change remote.${other.name}.fetch`,
      );
  }
}

/** Whether a remote stores branches in the same folder of refs as the chosen one. The folder of `team/secret` is inside that of `team`, but its refs are left out in any case. */
function isBeside({ name, refspecs }: GitRemote, chosen: GitRemote): boolean {
  if (name === chosen.name) return false;
  const folder = folderOf(chosen.name);
  const own = name.startsWith(`${chosen.name}/`) ? folderOf(name) : null;
  return refspecs.some(({ start, end }) => {
    if (own !== null && start.startsWith(own)) return false;
    return start.startsWith(folder) || (end !== undefined && folder.startsWith(start));
  });
}

/** The addresses after git's rewrites, to fetch from or to push to; none if a remote helper handles them. Git is asked only if it must be: it fails for all remotes if one is misconfigured. */
async function addressesOf(git: Git, { name, addresses, pushAddresses, areFinal }: GitRemote, ...which: readonly '--push'[]) {
  if (areFinal) return which.length > 0 && pushAddresses.length > 0 ? pushAddresses : addresses;
  try {
    const text = await git.text(['remote', 'get-url', '--all', ...which, '--', name]);
    return text.replace(/\n$/, '').split('\n');
  } catch (error) {
    if (error instanceof GitError && error.message.includes('no URLs configured')) return [];
    throw error;
  }
}

/** `git@code.example:acme/widget.git`, which is short for an address of ssh. */
const SCP_LIKE = /^(?:[^@/:]*@)?(\[[^\]/]*\]|[^:/@]+):(?!\/\/)(.+)$/;
const DEFAULT_PORTS: ReadonlySet<string> = new Set(['', '80', '443']);

/** Whether two addresses lead to the same repository, such as `git@code.example:acme/widget.git` and `https://Code.example/acme/widget/`. A local path equals nothing. */
export function sameRepository(one: string, other: string): boolean {
  const [a, b] = [placeOf(one), placeOf(other)];
  if (a === null || b === null || a.host !== b.host || a.path !== b.path) return false;
  return a.webPort === null || b.webPort === null || a.webPort === b.webPort;
}

function placeOf(address: string) {
  const text = address.replace(SCP_LIKE, 'ssh://$1/$2');
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, pathname, search } = new URL(text);
  const path = withoutEmptyParts(withoutEmptyParts(pathname + search).replace(/\.git$/, ''));
  // Other services of a host use other ports.
  const webPort = DEFAULT_PORTS.has(port) ? '' : port;
  return hostname === '' || path === '' ? null : { host: hostname.toLowerCase(), path, webPort: /^https?:$/.test(protocol) ? webPort : null };
}

function withoutEmptyParts(path: string): string {
  return path.split('/').filter(Boolean).join('/');
}
