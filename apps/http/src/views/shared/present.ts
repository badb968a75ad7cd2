import { formatInstant, type Instant, type SearchType } from '@vitrine/core';
import { PageLinks, type SiteCopy } from '@vitrine/pages';

/** Where records are found. Every path begins with the base path of the API. */
export interface Links {
  /** The public address, with the base path and without a slash at its end. */
  readonly publicUrl: string;
  /** The path of a record. @param id its public id: `owner/name@sha` of a commit, the full name of a repository, the key of a service */
  readonly record: (type: SearchType, id: string) => string;
  /** The absolute address of its page for people; `null` if there are no pages. Ask for it after {@link record}: a copy of the site then has the page. */
  readonly page: (type: SearchType, id: string) => string | null;
  readonly hub: (owner: string, name: string) => string;
  /** The path of a list with the records of one repository; `null` in a copy of the site, which has no filtered lists. */
  readonly list: (path: string, fullName: string) => string | null;
}

export type PagesAt = { readonly publicUrl: string; readonly hasPages: boolean; readonly copy: SiteCopy | null };

export function pageAddresses({ publicUrl, hasPages, copy }: PagesAt): Links['page'] {
  const paths = new PageLinks('', copy);
  return (type, id) => {
    const path = hasPages ? paths.record(type, id) : undefined;
    return path === undefined ? null : publicUrl + path;
  };
}

/** Fills in the parameters of a route, each as one percent-encoded segment. @param prefix the prefix of each path */
export function pathsOf({ path }: { readonly path: string }, prefix = ''): (...values: readonly string[]) => string {
  const [first = '', ...others] = path.split(/\{\w+\}/);
  return (...values) => {
    let text = prefix + first;
    for (let index = 0; index < others.length; index++) text += encoded(values[index] ?? '') + (others[index] ?? '');
    return text;
  };
}

const PLAIN = /^[\w.-]*$/;

/** Most names have nothing to encode, and to see that takes a third of the time. */
function encoded(text: string): string {
  return PLAIN.test(text) ? text : encodeURIComponent(text);
}

const KEPT = 20_000;

/** The same few thousand moments are shown again and again, and the platform takes long to write one. */
const texts = new Map<Instant, string>();

/** A moment as it stands on the wire: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function presentInstant(instant: Instant): string {
  const known = texts.get(instant);
  if (known !== undefined) return known;
  if (texts.size >= KEPT) texts.clear();
  const text = formatInstant(instant);
  texts.set(instant, text);
  return text;
}

export function addressesOfRecord(type: SearchType, id: string, links: Links): { readonly href: string; readonly pageUrl: string | undefined } {
  const href = links.record(type, id);
  return { href, pageUrl: links.page(type, id) ?? undefined };
}
