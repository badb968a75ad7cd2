import {
  type AnyField,
  type AnyFields,
  type DescribedRecords,
  FACTS,
  formatInstant,
  type Instant,
  type Provenance,
  type SearchType,
} from '@vitrine/core';
import { PageLinks, type SiteCopy } from '@vitrine/pages';

/** Where records are found. Every path begins with the base path of the API. */
export interface Links {
  /** The path of a record. @param id its public id: `owner/name@sha` of a commit, the full name of a repository, the key of a service */
  readonly record: (type: SearchType, id: string) => string;
  /** The absolute address of its page for people; `null` if there are no pages. Ask for it after {@link record}: a copy of the site then has the page. */
  readonly page: (type: SearchType, id: string) => string | null;
  /** The path of a repository's hub. */
  readonly hub: (owner: string, name: string) => string;
  /** The paths of the lists of a repository's records; `null` in a copy of the site, which has no filtered lists. */
  readonly lists: (fullName: string) => Readonly<Record<'commits' | 'releases' | 'findings' | 'missions', string | null>>;
}

/** What the absolute addresses of pages depend on. */
export type PagesAt = { readonly publicUrl: () => string; readonly hasPages: boolean; readonly copy: SiteCopy | null };

function pageOf({ publicUrl, hasPages, copy }: PagesAt): Links['page'] {
  const paths = new PageLinks('', copy);
  return (type, id) => {
    const path = hasPages ? paths.record(type, id) : undefined;
    return path === undefined ? null : publicUrl() + path;
  };
}

/** Links by the paths of the routes. */
export function linksBy(
  records: Readonly<Record<SearchType, (id: string) => string>>,
  lists: Readonly<Record<keyof ReturnType<Links['lists']>, string>>,
  hub: Links['hub'],
  pages: PagesAt,
): Links {
  const of = (path: string, fullName: string) => `${path}?repository=${encodeURIComponent(fullName)}`;
  return {
    record: (type, id) => records[type](id),
    page: pageOf(pages),
    hub,
    lists: (fullName) => ({
      commits: of(lists.commits, fullName),
      releases: of(lists.releases, fullName),
      findings: of(lists.findings, fullName),
      missions: of(lists.missions, fullName),
    }),
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

/** Enough for the records of many lists, and small beside them. */
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

export function presentOptionalInstant(instant: Instant | null): string | null {
  return instant === null ? null : presentInstant(instant);
}

export function presentProvenance(provenance: Provenance) {
  const { source, sourceKind, sourceUrl, observedAt, publishedAt, confidence, isOfficialSource } = provenance;
  // Two literals: members have their order, and a spread would cost more than all the rest.
  return publishedAt === undefined
    ? { source, sourceKind, sourceUrl, observedAt: presentInstant(observedAt), confidence, isOfficialSource }
    : {
        source,
        sourceKind,
        sourceUrl,
        observedAt: presentInstant(observedAt),
        publishedAt: presentInstant(publishedAt),
        confidence,
        isOfficialSource,
      };
}

/** Where a record is found, and its page if it has one. */
export function addressesOfRecord(type: SearchType, id: string, links: Links): { readonly href: string; readonly pageUrl: string | undefined } {
  const href = links.record(type, id);
  return { href, pageUrl: links.page(type, id) ?? undefined };
}

/** What is sent of a kind, with further links before its own. */
export function namesSent(kind: keyof DescribedRecords, links: readonly string[]): readonly string[] {
  const { sent } = FACTS[kind];
  return links.length === 0 ? sent : [...sent.slice(0, -1), ...links, ...sent.slice(-1)];
}

/** Writes a part of a record: the name, and its value in JSON, which is left out if it is `undefined`. */
type Member = readonly [name: string, read: (record: object, given: Given) => unknown];

/** The fields that a view computes. */
export type Given = Readonly<Record<string, unknown>>;

/**
 * Writes records of a kind as JSON: the fields that the facts of the kind publish, in their order. Nothing else of a record can be sent.
 *
 * @param links the addresses of other views that the view adds
 * @returns a function that takes a record, and the values of the fields that it does not have
 */
export function recordPresenter(kind: keyof DescribedRecords, links: readonly string[] = []): (record: object, given: Given) => object {
  const { fields } = FACTS[kind];
  return writer(
    namesSent(kind, links).map((name): Member =>
      fields[name] === undefined ? [name, (_record, given) => given[name]] : memberOf(name, fields[name]),
    ),
  );
}

function writer(members: readonly Member[]): (record: object, given: Given) => object {
  return (record, given) => {
    const body: Record<string, unknown> = {};
    for (const [name, read] of members) {
      const value = read(record, given);
      if (value !== undefined) body[name] = value;
    }
    return body;
  };
}

const NOTHING_GIVEN: Given = {};

function memberOf(name: string, field: AnyField): Member {
  const [called, absentAs, write] = [field.called ?? name, field.absentAs, valueWriter(field)];
  return [
    called,
    (record) => {
      const stored: unknown = Reflect.get(record, name);
      const value = stored === undefined ? absentAs : stored;
      return value === null || value === undefined ? value : write(value);
    },
  ];
}

function valueWriter(field: AnyField): (value: unknown) => unknown {
  if (field.type === 'time') return (value) => presentInstant(value as Instant);
  if (field.type === 'list') {
    const write = valueWriter(field.item);
    return (values) => (values as readonly unknown[]).map(write);
  }
  if (field.type !== 'object') return (value) => value;
  if (field.named === 'Provenance') return (value) => presentProvenance(value as Provenance);
  const fields: AnyFields = field.fields;
  const write = writer(Object.entries(fields).map(([name, inner]) => memberOf(name, inner)));
  return (value) => write(value as object, NOTHING_GIVEN);
}
