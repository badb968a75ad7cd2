const ADDRESS = /^(https?):\/\/([^/?#@\\\s\p{Cc}]+)([^\s\\\p{Cc}]*)$/iu;
/** Segments that a browser, or a server that decodes first, resolves away, which would lead out of the repository's address. */
const DOT_SEGMENT = /(^|\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|;|$)/i;

/**
 * A URL of a repository's record as it may be shown: itself when it lies under the repository's own public address, else that address.
 * Records could otherwise point to repositories that are not public.
 */
export function ownUrl(url: string, repositoryUrl: string): string {
  return isBelow(url, repositoryUrl) ? url : repositoryUrl;
}

function isBelow(url: string, base: string): boolean {
  const target = partsOf(url);
  const root = partsOf(base.replace(/\/+$/, ''));
  if (target === null || root === null || target.origin !== root.origin || !target.rest.startsWith(root.rest)) return false;
  const below = target.rest.slice(root.rest.length);
  const path = target.rest.split(/[?#]/, 1)[0] ?? '';
  return /^([/?#]|$)/.test(below) && !DOT_SEGMENT.test(path);
}

function partsOf(url: string): { origin: string; rest: string } | null {
  const parts = ADDRESS.exec(url);
  if (parts === null) return null;
  const [, scheme = '', host = '', rest = ''] = parts;
  return { origin: `${scheme}://${host}`.toLowerCase(), rest };
}
