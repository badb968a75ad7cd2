import { resolve } from 'node:path';
import { GitError, withoutUserInfo } from './git-error.js';

/** Where a repository is: a folder that is read in place, or an address that is cloned. */
export type GitLocation = { readonly kind: 'folder'; readonly path: string } | { readonly kind: 'address'; readonly address: string };

const UNUSABLE = /^\s*$|[\0-\x1f]/;
const SCHEMES = ['http', 'https', 'ssh', 'git', 'file'];
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
const REMOTE_HELPER = /^[a-z0-9][a-z0-9+.-]*::/i;
const SCP_LIKE = /^(?:[A-Za-z0-9._~][A-Za-z0-9._~-]*@)?(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)[^\0-\x1f]+$/;
const WINDOWS_DRIVE = /^[A-Za-z]:/;

/** Reads a configured location. Throws a {@link GitError} that says what would be right. */
export function parseGitLocation(text: string): GitLocation {
  if (UNUSABLE.test(text))
    throw new GitError('the location of a git repository is empty or holds control characters: give a folder or a clone address');
  if (REMOTE_HELPER.test(text)) throw new GitError(`"${text}" calls a git remote helper: give a folder or an http(s), ssh, git or file address`);
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined) return parseAddress(text, scheme);
  if (SCP_LIKE.test(text) && !WINDOWS_DRIVE.test(text)) return { kind: 'address', address: text };
  return { kind: 'folder', path: resolve(text) };
}

function parseAddress(text: string, scheme: string): GitLocation {
  const shown = withoutUserInfo(text);
  // It is not repeated: a password with a slash in it would look like a host.
  if (scheme.startsWith('http') && !URL.canParse(text)) throw new GitError(`a clone address that begins with ${scheme}:// is malformed`);
  if (!SCHEMES.includes(scheme)) throw new GitError(`"${shown}" cannot be cloned: the address must be http(s), ssh, git or file`);
  const userInfo = /^[^/]*\/\/([^/?#]*)@/.exec(text)?.[1];
  if (userInfo !== undefined && (scheme.startsWith('http') || userInfo.includes(':'))) {
    throw new GitError(
      `"${shown}" was given with credentials in it: leave them out; git takes them from its credential helpers, .netrc or an ssh agent`,
    );
  }
  return { kind: 'address', address: text };
}
