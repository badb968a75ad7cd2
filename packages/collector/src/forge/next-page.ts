/** Longer headers are not read. */
const LONGEST_LINK = 10_000;
const TARGET = /^\s*<([^<>\s]{1,2048})>(.*)$/;
const NEXT = /;\s*rel\s*=\s*"?next"?\s*(?:;|$)/i;

/**
 * The path of the next page, as a `Link` header says it; `null` if there is none. Only the query of the link is used, on the path that was asked for. So no link leads to another
 * host or to another list, and a forge whose links name its public address can be read at an internal one.
 *
 * @param path of this page, with its query
 */
export function nextPathOf(link: string | string[] | undefined, path: string): string | null {
  const text = Array.isArray(link) ? link.join(',') : (link ?? '');
  const targets = text.length > LONGEST_LINK ? [] : text.split(/,(?=\s*<)/).flatMap(nextTarget);
  const query = targets[0] === undefined ? '' : queryOf(targets[0]);
  return query === '' ? null : `${path.split('?', 1).join('')}?${query}`;
}

/** Where a link leads to; nothing unless it is the next page. */
function nextTarget(link: string): readonly string[] {
  const [, target = '', parameters = ''] = TARGET.exec(link) ?? [];
  return NEXT.test(parameters) ? [target] : [];
}

function queryOf(target: string): string {
  const [address = ''] = target.split('#', 1);
  const start = address.indexOf('?');
  return start < 0 ? '' : address.slice(start + 1);
}
