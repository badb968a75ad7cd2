import { GitError } from './git-error.js';
import type { GitRemote } from './git-remotes.js';
import type { Git } from './git.js';
import { sameRepository } from './remote-address.js';
import { withoutFinalSlashes } from '@vitrine/core';

/** Common values that disable pushing: `no_push`, `DISABLED`, `none`, `/dev/null`. */
const NOWHERE = /^(?:[\w-]*(?:push|disable)[\w-]*|none|\/dev\/null)$/i;

/**
 * Throws a {@link GitError} if the branches of the chosen remote can come from another repository than the one that it fetches from: because it has
 * another push address, or because another remote stores its branches in the same folder of refs. Such a branch would look public although it may not be.
 * @param folder the path of the folder, for the message
 */
export async function refuseOtherRepositories(git: Git, chosen: GitRemote, remotes: readonly GitRemote[], folder: string): Promise<void> {
  const [fetched] = await addressesOf(git, chosen.name, []);
  const isElsewhere = (address: string) => !NOWHERE.test(address) && !isSame(address, fetched);
  const pushed = await addressesOf(git, chosen.name, ['--push']);
  if (pushed.some(isElsewhere)) throw new GitError(pushesElsewhere(folder, chosen.name));
  for (const other of remotes.filter((remote) => isBeside(remote, chosen))) {
    const addresses = [...(await addressesOf(git, other.name, [])), ...(await addressesOf(git, other.name, ['--push']))];
    if (addresses.length === 0 || addresses.some(isElsewhere)) throw new GitError(sharesBranches(folder, chosen.name, other.name));
  }
}

function pushesElsewhere(folder: string, remote: string): string {
  return (
    `"${folder}" pushes to another repository than the one that its remote "${remote}" fetches from, and git does not record which branches are public: ` +
    `${REMEDY}, or remove what redirects pushes (remote.${remote}.pushurl, a second remote.${remote}.url, or url.*.pushInsteadOf)`
  );
}

function sharesBranches(folder: string, remote: string, other: string): string {
  return (
    `"${folder}" keeps branches of its remote "${other}" among those of "${remote}", and git does not record which of them are public: ` +
    `${REMEDY}, or change remote.${other}.fetch`
  );
}

const REMEDY = 'give the clone address instead of the folder, or list the public branches in the key branches';

/** Whether a remote stores branches in the same folder of refs as the chosen one. The folder of `team/secret` is inside that of `team`, but its refs are left out in any case. */
function isBeside({ name, refspecs }: GitRemote, chosen: GitRemote): boolean {
  if (name === chosen.name) return false;
  const folder = `refs/remotes/${chosen.name}/`;
  const own = name.startsWith(`${chosen.name}/`) ? `refs/remotes/${name}/` : null;
  return refspecs.some((refspec) => {
    const [, target = ''] = refspec.split(':');
    const [start = '', end] = target.split('*');
    if (own !== null && start.startsWith(own)) return false;
    return start.startsWith(folder) || (end !== undefined && folder.startsWith(start));
  });
}

/** The addresses that git uses after its rewrites; none if a remote helper handles the address. */
async function addressesOf(git: Git, remote: string, which: readonly string[]): Promise<readonly string[]> {
  try {
    const text = await git.text(['remote', 'get-url', '--all', ...which, '--', remote]);
    return text.replace(/\n$/, '').split('\n');
  } catch (error) {
    if (error instanceof GitError && error.says(/no URLs configured/)) return [];
    throw error;
  }
}

function isSame(address: string, fetched: string | undefined): boolean {
  return fetched !== undefined && (address === fetched || sameRepository(address, fetched));
}

/** The formats in which forges write the addresses of commits and tags. */
const FORGE_STYLES = ['github', 'gitea', 'gitlab', 'bitbucket'] as const;
export type ForgeStyle = (typeof FORGE_STYLES)[number];

const MAX_URL = 2_048;

const PARTS: Readonly<Record<ForgeStyle, { readonly commit: string; readonly tag: string }>> = {
  github: { commit: '/commit/', tag: '/releases/tag/' },
  gitea: { commit: '/commit/', tag: '/releases/tag/' },
  gitlab: { commit: '/-/commit/', tag: '/-/tags/' },
  bitbucket: { commit: '/commits/', tag: '/src/' },
};

/** The public addresses of a repository, its commits and its tags. */
export class ForgeAddresses {
  readonly repository: string;
  readonly #parts: { readonly commit: string; readonly tag: string };

  /** @param style without it, the host name decides; the default is the format of GitHub */
  constructor(url: string, style: ForgeStyle | null = null) {
    this.repository = withoutFinalSlashes(url).replace(/\.git$/, '');
    this.#parts = PARTS[style ?? styleOf(url)];
  }

  commit(sha: string): string {
    return this.#under(this.#parts.commit + sha);
  }

  tag(name: string): string {
    return this.#under(this.#parts.tag + name.split('/').map(encodeURIComponent).join('/'));
  }

  /** A file of a release, as GitHub and Gitea keep it; `null` if the address would be too long. */
  file(tag: string, name: string): string | null {
    const address = `${this.repository}/releases/download/${tag.split('/').map(encodeURIComponent).join('/')}/${encodeURIComponent(name)}`;
    return address.length <= MAX_URL ? address : null;
  }

  #under(part: string): string {
    const address = this.repository + part;
    return address.length <= MAX_URL ? address : this.repository;
  }
}

function styleOf(url: string): ForgeStyle {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return FORGE_STYLES.find((style) => host.split('.').some((label) => label.includes(style))) ?? 'github';
}
