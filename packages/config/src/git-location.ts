import { resolve } from 'node:path';
import { withoutCredentials } from '@vitrine/core';

const PATTERN = /^(?!-)[^\0- \x7f~^:?[\\]{1,255}$/;

export function isBranchPattern(text: string): boolean {
  return PATTERN.test(text);
}

/** Whether a pattern matches a branch name. `*` matches any characters except `/`, and `**` matches any characters. Letter case counts. */
export function matchesBranch(pattern: string, name: string): boolean {
  // The set of all positions that the pattern so far can reach. A regular expression would try them one after the other, which can take very long.
  let places: ReadonlySet<number> = new Set([0]);
  for (const part of pattern.split(/(\*+)/)) places = placesAfter(part, places, name);
  return places.has(name.length);
}

function placesAfter(part: string, places: ReadonlySet<number>, name: string): ReadonlySet<number> {
  if (!part.startsWith('*')) return new Set([...places].filter((place) => name.startsWith(part, place)).map((place) => place + part.length));
  const after = new Set<number>();
  for (const start of places) {
    for (let place = start; place <= name.length && !after.has(place); place++) {
      after.add(place);
      if (part === '*' && name[place] === '/') break;
    }
  }
  return after;
}

export type GitLocation = { readonly kind: 'folder'; readonly path: string } | { readonly kind: 'address'; readonly address: string };

/** A text that is not a location. The problem includes how to fix it, and never contains credentials. */
interface MalformedLocation {
  readonly kind: 'malformed';
  readonly problem: string;
}

const UNUSABLE = /^\s*$|[\0-\x1f]/;
const SCHEMES = ['http', 'https', 'ssh', 'git', 'file'];
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
const REMOTE_HELPER = /^[a-z0-9][a-z0-9+.-]*::/i;
const SCP_LIKE = /^(?:[A-Za-z0-9._~][A-Za-z0-9._~-]*@)?(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)[^\0-\x1f]+$/;
const WINDOWS_DRIVE = /^[A-Za-z]:/;

/** Reads the location of a git repository. A relative path is resolved against the working folder. */
export function readGitLocation(text: string): GitLocation | MalformedLocation {
  if (UNUSABLE.test(text))
    return malformed('the location of a git repository is empty or holds control characters: give a folder or a clone address');
  if (REMOTE_HELPER.test(text)) {
    return malformed(`"${withoutCredentials(text)}" calls a git remote helper: give a folder or an http(s), ssh, git or file address`);
  }
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined) return readAddress(text, scheme);
  if (SCP_LIKE.test(text) && !WINDOWS_DRIVE.test(text)) return { kind: 'address', address: text };
  return { kind: 'folder', path: resolve(text) };
}

function readAddress(text: string, scheme: string): GitLocation | MalformedLocation {
  const shown = withoutCredentials(text);
  // The message does not repeat the address: a password that contains a slash would look like a host.
  if (scheme.startsWith('http') && !isWhole(text))
    return malformed(`a clone address that begins with ${scheme}:// is malformed; write it as a browser shows it, with %20 for a space`);
  if (!SCHEMES.includes(scheme)) return malformed(`"${shown}" cannot be cloned: the address must be http(s), ssh, git or file`);
  const userInfo = /^[^/]*\/\/([^/?#]*)@/.exec(text)?.[1];
  if (userInfo !== undefined && (scheme.startsWith('http') || userInfo.includes(':'))) {
    return malformed(
      `"${shown}" was given with credentials in it: leave them out; git takes them from its credential helpers, .netrc or an ssh agent`,
    );
  }
  return { kind: 'address', address: text };
}

/** A space would end the address in messages of git, so that they could show the rest. */
function isWhole(address: string): boolean {
  return URL.canParse(address) && !/\s/.test(address);
}

function malformed(problem: string): MalformedLocation {
  return { kind: 'malformed', problem };
}
