import { GitError } from './git-error.js';
import type { Git } from './git.js';
import { rewritten, sameRepository, type AddressRewrite } from './remote-address.js';

export interface GitRemote {
  readonly name: string;
  /** As configured, and as git rewrites them. They can contain passwords, so no message shows them. */
  readonly addresses: readonly string[];
  /** Its fetch settings, such as `+refs/heads/*:refs/remotes/origin/*`. */
  readonly refspecs: readonly string[];
}

interface RemoteWish {
  readonly folder: string;
  readonly remote: string | null;
  readonly url: string;
}

const SETTINGS = String.raw`^(remote\..*\.(url|pushurl|fetch|vcs)|url\..*\.insteadof)$`;
const REMOTE = /^remote\.(.+)\.([a-z]+)$/s;
const REWRITE = /^url\.(.+)\.insteadof$/s;

/** The remotes of a repository, in the order of its configuration. */
export async function readRemotes(git: Git): Promise<readonly GitRemote[]> {
  const settings = ((await git.answer(['config', '-z', '--get-regexp', SETTINGS])) ?? '').split('\0').map(settingOf);
  const rewrites = settings.flatMap(({ key, value }): AddressRewrite[] => {
    const base = REWRITE.exec(key)?.[1];
    return base === undefined ? [] : [{ base, prefix: value }];
  });
  const remotes = new Map<string, { readonly name: string; readonly addresses: string[]; readonly refspecs: string[] }>();
  for (const { key, value } of settings) {
    const [, name, setting] = REMOTE.exec(key) ?? [];
    if (name === undefined) continue;
    const remote = remotes.get(name) ?? { name, addresses: [], refspecs: [] };
    remotes.set(name, remote);
    if (setting === 'url') remote.addresses.push(value, rewritten(value, rewrites));
    if (setting === 'fetch') remote.refspecs.push(value);
  }
  return [...remotes.values()];
}

/**
 * Chooses the remote whose branches are shown: the configured one, or else the one with the repository's public address, or else `origin`, or else the only
 * one. `null` if there is none. Throws a {@link GitError} that names the key `remote` if the choice is ambiguous.
 */
export function chooseRemote(remotes: readonly GitRemote[], { folder, remote, url }: RemoteWish): GitRemote | null {
  const names = remotes.map(({ name }) => name).sort();
  if (remote !== null) {
    const known = names.length === 0 ? 'it has none: leave the key remote out' : `set the key remote to one of ${names.join(', ')}`;
    return remotes.find(({ name }) => name === remote) ?? refuse(`"${folder}" has no remote "${remote}"; ${known}`);
  }
  if (remotes.length < 2) return remotes[0] ?? null;
  const why = `none of them is called origin or has the address ${url}`;
  return likeliest(remotes, url) ?? refuse(`"${folder}" has several remotes, and ${why}; set the key remote to one of ${names.join(', ')}`);
}

function likeliest(remotes: readonly GitRemote[], url: string): GitRemote | undefined {
  const equal = remotes.filter(({ addresses }) => addresses.some((address) => sameRepository(address, url)));
  const isOrigin = ({ name }: GitRemote) => name === 'origin';
  return equal.find(isOrigin) ?? equal[0] ?? remotes.find(isOrigin);
}

function refuse(message: string): never {
  throw new GitError(message);
}

function settingOf(text: string): { readonly key: string; readonly value: string } {
  const end = text.indexOf('\n');
  return end < 0 ? { key: text, value: '' } : { key: text.slice(0, end), value: text.slice(end + 1) };
}
