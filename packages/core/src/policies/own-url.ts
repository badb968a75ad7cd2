const ADDRESS = /^(https?):\/\/([^/?#@\\\s\p{Cc}]+)((?:[/?#@][^\s\\\p{Cc}]*)?)$/iu;
/** Dot segments, also encoded ones. A browser or server resolves them, so that the URL could leave the repository's address. */
const DOT_SEGMENT = /(^|\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|;|$)/i;

/**
 * The URL to publish for a record of a repository: the given URL if it is under the repository's public address, otherwise that address.
 * Otherwise a record could point to a repository that is not public.
 */
export function ownUrl(url: string, repositoryUrl: string): string {
  return isBelow(url, repositoryUrl) ? url : repositoryUrl;
}

/** Plain segments without dot segments. A URL whose rest after the base matches needs no further check. */
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*$/;

function isBelow(url: string, base: string): boolean {
  const root = rootOf(base);
  if (root === null) return false;
  if (url.startsWith(base) && PLAIN_PATH.test(url.slice(base.length))) return true;
  const target = partsOf(url);
  if (target === null || root.origin !== target.origin || !target.rest.startsWith(root.rest)) return false;
  const below = target.rest.slice(root.rest.length);
  return /^([/?#]|$)/.test(below) && !DOT_SEGMENT.test(pathOf(target));
}

function pathOf({ rest }: AddressParts): string {
  return rest.split(/[?#]/, 1)[0] ?? '';
}

const KEPT_ROOTS = 1_000;
/** A cache: the records of a page belong to few repositories. */
const roots = new Map<string, AddressParts | null>();

function rootOf(base: string): AddressParts | null {
  const known = roots.get(base);
  if (known !== undefined) return known;
  if (roots.size >= KEPT_ROOTS) roots.clear();
  const parts = partsOf(withoutFinalSlashes(base));
  const root = parts === null || DOT_SEGMENT.test(pathOf(parts)) ? null : parts;
  roots.set(base, root);
  return root;
}

/** Removes the slashes at the end of an address, so that a path can be appended. */
export function withoutFinalSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

interface AddressParts {
  readonly origin: string;
  readonly rest: string;
}

function partsOf(url: string): AddressParts | null {
  const parts = ADDRESS.exec(url);
  if (parts === null) return null;
  const [, scheme = '', host = '', rest = ''] = parts;
  return { origin: `${scheme}://${host}`.toLowerCase(), rest };
}
