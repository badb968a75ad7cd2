import { GitError } from './git-error.js';
import type { GitRemote } from './git-remotes.js';
import type { Git } from './git.js';
import { sameRepository } from './remote-address.js';

/** Common ways to switch pushing off: `no_push`, `DISABLED`, `none`, `/dev/null`. Nothing can be pushed there. */
const NOWHERE = /^(?:[\w-]*(?:push|disable)[\w-]*|none|\/dev\/null)$/i;

/**
 * Throws a {@link GitError} when a push or a fetch can set branches of the chosen remote that are in another repository than the one that it fetches from:
 * by another push address, or by another remote that keeps its branches in the same folder. Such a branch would look public.
 * @param folder for the message
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

/** Whether a remote keeps branches where the chosen one has its own; those of `team/secret` in its own folder are left out anyway. */
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

/** As git uses them after its rewrites; none where a remote helper knows the address. */
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
