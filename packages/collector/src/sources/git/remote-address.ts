import type { GitLocation } from '@vitrine/config';
import { readGitLocation } from '@vitrine/config/internal';
import { GitError } from './git-error.js';

/** Reads a configured location. Throws a {@link GitError} that says what is wrong and how to fix it. */
export function parseGitLocation(text: string): GitLocation {
  const location = readGitLocation(text);
  if (location.kind === 'malformed') throw new GitError(location.problem);
  return location;
}

interface Place {
  readonly host: string;
  readonly path: string;
  /** Only for http and https addresses, because other services of a host use other ports. */
  readonly webPort: string | null;
}

const URL_LIKE = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#]*@)?(\[[^\]/]*\]|[^:/?#@]*)(?::(\d*))?(?:\/(.*))?$/i;
const SCP_LIKE = /^(?:[^@/:]*@)?(\[[^\]/]*\]|[^:/@]+):(?!\/\/)(.+)$/;
const WEB = /^https?$/i;
const DEFAULT_PORTS: ReadonlySet<string> = new Set(['', '80', '443']);

/**
 * Whether two addresses lead to the same repository. Ignores the scheme, the user, `.git`, slashes at the ends and the letter case of the host:
 * `git@code.example:acme/widget.git` equals `https://Code.example/acme/widget/`. A local path equals nothing.
 */
export function sameRepository(one: string, other: string): boolean {
  const [a, b] = [placeOf(one), placeOf(other)];
  if (a === null || b === null || a.host !== b.host || a.path !== b.path) return false;
  return a.webPort === null || b.webPort === null || a.webPort === b.webPort;
}

function placeOf(address: string): Place | null {
  const url = URL_LIKE.exec(address);
  if (url !== null) return placeOfUrl(url);
  const [, host = '', path = ''] = SCP_LIKE.exec(address) ?? [];
  return place(host, path, null);
}

function placeOfUrl([, scheme = '', host = '', port = '', path = '']: RegExpExecArray): Place | null {
  const webPort = DEFAULT_PORTS.has(port) ? '' : port;
  return place(host, path, WEB.test(scheme) ? webPort : null);
}

function place(host: string, path: string, webPort: string | null): Place | null {
  const trimmed = trimSlashes(trimSlashes(path).replace(/\.git$/, ''));
  return host === '' || trimmed === '' ? null : { host: host.toLowerCase(), path: trimmed, webPort };
}

function trimSlashes(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '')
    .join('/');
}
