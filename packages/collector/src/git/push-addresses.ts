import { GitError } from './git-error.js';
import type { Git } from './git.js';
import { sameRepository } from './remote-address.js';

/** Common ways to switch pushing off: `no_push`, `DISABLED`, `none`, `/dev/null`. Nothing can be pushed there. */
const NOWHERE = /^(?:[\w-]*(?:push|disable)[\w-]*|none|\/dev\/null)$/i;

/**
 * Throws a {@link GitError} when a push to the remote goes to another repository than the one that it fetches from. Git records such a push as a
 * branch of the remote, so a branch that is only in a private repository would look public.
 * @param folder for the message
 */
export async function refusePushElsewhere(git: Git, remote: string, folder: string): Promise<void> {
  const [fetched] = await addressesOf(git, remote, []);
  const pushed = await addressesOf(git, remote, ['--push']);
  if (pushed.every((address) => NOWHERE.test(address) || isSame(address, fetched))) return;
  throw new GitError(
    `"${folder}" pushes to another repository than the one that its remote "${remote}" fetches from, and git does not record which branches are public: ` +
      `give the clone address instead of the folder, or list the public branches in the key branches, ` +
      `or remove what redirects pushes (remote.${remote}.pushurl, a second remote.${remote}.url, or url.*.pushInsteadOf)`,
  );
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
