import {
  Allowlist,
  compareText,
  comparePositions,
  LATEST_INSTANT,
  nameOfRef,
  NO_REPOSITORY,
  positionOf,
  scopeOf,
  timeOf,
  type ApprovedRepositories,
  type ListedRecord,
  type ReadContext,
  type RepositoryRef,
  type ScopeRef,
  type StoreReaders,
  type TimeListQuery,
  type TimePage,
  type TimePosition,
} from '@vitrine/core';
import { LIST_SPECS, type ListSpec } from '@vitrine/core/testing';
import { BROKEN_SIGNALS, withReaderMethod, type BrokenStore, type Method } from './broken-store.js';

type Query = TimeListQuery & Record<string, unknown>;
type List = (approved: ApprovedRepositories, query: Query, context: ReadContext) => Promise<TimePage<ListedRecord>>;

/** Both permit every repository of the suites. There are two, because one permission cannot contain two repositories with the same name. */
const EVERYBODY = Allowlist.of('acme/widget', 'acme/gadget', 'acme/secret', 'other/hidden').approved();
const PINNED = new Allowlist([{ fullName: 'acme/widget', owner: 'acme', name: 'widget', forgeId: '7' }]).approved().only('acme/widget#7');

async function allowed(list: List, query: Query, context: ReadContext): Promise<ListedRecord[]> {
  return [...(await everything(list, EVERYBODY, query, context)), ...(await everything(list, PINNED, query, context))];
}

const CASES = {
  order: 'newest first; equal times by key, in byte order',
  times: 'times are closed at both ends: nothing before `from`, nothing after `to`',
  position: 'a position is a whole key: a page begins after a record that was never stored',
  pages: 'a page is full unless it is the last; `next` is the key of its last record, and null at the end',
  longest: 'a page holds up to 100 records',
  between: 'the next page leaves out newer records, and shows older ones, that came in between',
  empty: 'an empty list is an empty page',
  signal: '`signal` ends a call at once',
  permission: 'permission is part of the query: approved repositories only, on full pages',
  filters: 'each filter finds exactly its records, on full pages',
  build: 'its time is its start, else its end, else when it was observed',
} as const;

interface BrokenList {
  readonly name: string;
  readonly noticedBy: keyof typeof CASES;
  readonly change: (list: List) => List;
}

const asking =
  (change: (query: Query) => Partial<Query>) =>
  (list: List): List =>
  (approved, query, context) =>
    list(approved, { ...query, ...change(query) }, context);

const answering =
  (change: (page: TimePage<ListedRecord>, query: Query) => TimePage<ListedRecord>) =>
  (list: List): List =>
  async (approved, query, context) =>
    change(await list(approved, query, context), query);

/** All records that match a query, page after page. */
async function everything(list: List, approved: ApprovedRepositories, query: Query, context: ReadContext): Promise<ListedRecord[]> {
  const all: ListedRecord[] = [];
  let after: TimePosition | null = null;
  do {
    const page: TimePage<ListedRecord> = await list(approved, { ...query, limit: 100, after }, context);
    all.push(...page.items);
    after = page.next;
  } while (after !== null);
  return all;
}

/** A list that is built from all records that match the query. */
const from =
  (paged: (all: readonly ListedRecord[], query: Query) => readonly ListedRecord[]) =>
  (list: List): List =>
  async (approved, query, context) => {
    const rest = paged(await everything(list, approved, query, context), query);
    const items = rest.slice(0, query.limit);
    const last = items.at(-1);
    return { items, next: rest.length > query.limit && last !== undefined ? positionOf(last) : null };
  };

const orderedBy = (compare: (a: TimePosition, b: TimePosition) => number) =>
  from((all, { after }) => {
    const sorted = [...all].sort((a, b) => compare(positionOf(a), positionOf(b)));
    return after === null ? sorted : sorted.filter((record) => compare(positionOf(record), after) > 0);
  });

const ANY_LIST: readonly BrokenList[] = [
  { name: 'ignores `to`', noticedBy: 'times', change: asking(() => ({ to: LATEST_INSTANT })) },
  {
    name: 'ignores `to` from the second page on',
    noticedBy: 'times',
    change: asking(({ after, to }) => ({ to: after === null ? to : LATEST_INSTANT })),
  },
  { name: 'leaves out what is dated exactly `to`', noticedBy: 'times', change: asking(({ to }) => ({ to: to - 1 })) },
  { name: 'ignores `from`', noticedBy: 'times', change: asking(() => ({ from: null })) },
  {
    name: 'ignores `from` from the second page on',
    noticedBy: 'times',
    change: asking(({ after, from: start }) => ({ from: after === null ? start : null })),
  },
  {
    name: 'leaves out what is dated exactly `from`',
    noticedBy: 'times',
    change: asking(({ from: start }) => ({ from: start === null ? null : start + 1 })),
  },
  { name: 'lists the oldest first', noticedBy: 'order', change: orderedBy((a, b) => -comparePositions(a, b)) },
  { name: 'orders equal times by descending key', noticedBy: 'order', change: orderedBy((a, b) => b.time - a.time || compareText(b.id, a.id)) },
  {
    name: 'orders equal times by the alphabet of a language',
    noticedBy: 'order',
    change: orderedBy((a, b) => b.time - a.time || a.id.localeCompare(b.id, 'en') || compareText(a.id, b.id)),
  },
  {
    name: 'looks the record of a position up',
    noticedBy: 'position',
    change: from((all, { after }) => {
      const at = all.findIndex((record) => after !== null && positionOf(record).id === after.id);
      return after === null ? all : all.slice(at < 0 ? all.length : at + 1);
    }),
  },
  {
    name: 'goes on after the time of a position',
    noticedBy: 'pages',
    change: from((all, { after }) => all.filter((record) => after === null || timeOf(record) < after.time - 1_000)),
  },
  {
    name: 'goes on at the record of a position',
    noticedBy: 'pages',
    change: from((all, { after }) => all.filter((record) => after === null || comparePositions(positionOf(record), after) >= 0)),
  },
  {
    name: 'compares a position’s time alone',
    noticedBy: 'position',
    change: from((all, { after }) => all.filter((record) => after === null || timeOf(record) < after.time)),
  },
  {
    name: 'gives a page of one record less',
    noticedBy: 'pages',
    change: answering((page, { limit }) => ({ ...page, items: page.items.slice(0, limit - 1) })),
  },
  { name: 'gives the record that it looked at for the next page too', noticedBy: 'pages', change: asking(({ limit }) => ({ limit: limit + 1 })) },
  { name: 'always says that there is a next page', noticedBy: 'pages', change: answering((page) => ({ ...page, next: lastOf(page) })) },
  {
    name: 'says that there is a next page when this one is full',
    noticedBy: 'pages',
    change: answering((page, { limit }) => ({ ...page, next: page.items.length === limit ? lastOf(page) : null })),
  },
  { name: 'never says that there is a next page', noticedBy: 'pages', change: answering((page) => ({ ...page, next: null })) },
  {
    name: 'gives the position of the next page’s first record',
    noticedBy: 'pages',
    change: (list) => async (approved, query, context) => {
      const page = await list(approved, query, context);
      const after = page.next === null ? null : (await list(approved, { ...query, limit: 1, after: page.next }, context)).items[0];
      return { ...page, next: after === null || after === undefined ? null : positionOf(after) };
    },
  },
  { name: 'gives at most 50 records', noticedBy: 'longest', change: asking(({ limit }) => ({ limit: Math.min(limit, 50) })) },
  { name: 'counts records to find a page', noticedBy: 'between', change: byOffset },
  {
    name: 'throws at an empty list',
    noticedBy: 'empty',
    change: answering((page) => {
      if (page.items.length === 0) throw new RangeError('nothing was found');
      return page;
    }),
  },
  ...Object.entries(BROKEN_SIGNALS).map(([name, change]): BrokenList => ({ name, noticedBy: 'signal', change: change as (list: List) => List })),
];

/** A list of the records that a wrong permission rule admits. */
const admitting =
  (admits: (approved: ApprovedRepositories, scope: ScopeRef) => boolean) =>
  (list: List): List =>
  async (approved, query, context) => {
    const all = await allowed(list, query, context);
    return pageFrom(
      all.filter((record) => admits(approved, scopeOf(record))),
      query,
    );
  };

const OF_REPOSITORIES: readonly BrokenList[] = [
  { name: 'ignores the permission', noticedBy: 'permission', change: admitting(() => true) },
  {
    name: 'applies the permission after it has read a page',
    noticedBy: 'permission',
    change: (list) => async (approved, query, context) => {
      const page = await admitting(() => true)(list)(approved, query, context);
      return { ...page, items: page.items.filter((record) => approved.admits(scopeOf(record))) };
    },
  },
  {
    name: 'takes a pinned repository for the one of the same name',
    noticedBy: 'permission',
    change: admitting((approved, scope) => approved.admits(scope === NO_REPOSITORY ? scope : withoutForgeId(scope))),
  },
];

const OF_ANY_SCOPE: readonly BrokenList[] = [
  {
    name: 'shows records of no repository to a caller that asks for one repository',
    noticedBy: 'permission',
    change: admitting((approved, scope) => scope === NO_REPOSITORY || approved.admits(scope)),
  },
  {
    name: 'shows no records of no repository',
    noticedBy: 'permission',
    change: admitting((approved, scope) => scope !== NO_REPOSITORY && approved.admits(scope)),
  },
];

function brokenFilters({ filters, kind }: ListSpec): readonly BrokenList[] {
  return [
    ...Object.keys(filters).map((name): BrokenList => ({
      name: `ignores the filter ${name}`,
      noticedBy: 'filters',
      change: asking(() => ({ [name]: null })),
    })),
    ...Object.entries(filters).map(([name, valuesOf]): BrokenList => ({
      name: `applies the filter ${name} after it has read a page`,
      noticedBy: 'filters',
      change: (list) => async (approved, query, context) => {
        const page = await list(approved, { ...query, [name]: null }, context);
        const value = query[name];
        return { ...page, items: page.items.filter((record) => typeof value !== 'string' || valuesOf(record).includes(value)) };
      },
    })),
    ...(kind === 'commit' ? [ANY_CASE_OF_AUTHOR_NAMES] : []),
  ];
}

const ANY_CASE_OF_AUTHOR_NAMES: BrokenList = {
  name: 'ignores the case of author names',
  noticedBy: 'filters',
  change: (list) => async (approved, query, context) => {
    const all = await everything(list, approved, { ...query, author: null }, context);
    const wanted = typeof query['author'] === 'string' ? query['author'].toLowerCase() : null;
    const isBy = (record: ListedRecord) =>
      record.kind === 'commit' && [record.authorName, record.authorLogin].some((name) => name.toLowerCase() === wanted);
    return pageFrom(
      all.filter((record) => wanted === null || isBy(record)),
      query,
    );
  },
};

const BUILDS: readonly BrokenList[] = [
  {
    name: 'leaves out builds without a start',
    noticedBy: 'build',
    change: from((all, { after }) =>
      all.filter(
        (record) => record.kind === 'build' && record.startedAt !== null && (after === null || comparePositions(positionOf(record), after) > 0),
      ),
    ),
  },
];

/** Every way to break a guarantee of lists, for every kind that has the guarantee. */
export const BROKEN_LISTS: readonly BrokenStore[] = LIST_SPECS.flatMap((spec) =>
  [
    ...ANY_LIST,
    ...(spec.scopes === 'none' ? [] : OF_REPOSITORIES),
    ...(spec.scopes === 'any' ? OF_ANY_SCOPE : []),
    ...brokenFilters(spec),
    ...(spec.kind === 'build' ? BUILDS : []),
  ].map(({ name, noticedBy, change }) => ({
    name: `a list of ${spec.kind} records that ${name}`,
    noticedBy: `${spec.kind} list: ${CASES[noticedBy]}`,
    breaks: withReaderMethod(readerOf(spec.kind), 'list', (right) => (spec.scopes === 'none' ? unscoped(right, change) : (change(right) as Method))),
  })),
);

function readerOf(kind: ListedRecord['kind']): keyof StoreReaders {
  return kind === 'news' ? 'news' : `${kind}s`;
}

/** The readers of news and incidents take no permission. */
function unscoped(right: Method, change: (list: List) => List): Method {
  const list = change((_approved, query, context) => right(query, context));
  return (query, context) => list(Allowlist.of().approved(), query, context);
}

function withoutForgeId(ref: RepositoryRef): RepositoryRef {
  return nameOfRef(ref) as RepositoryRef;
}

function lastOf({ items }: TimePage<ListedRecord>): TimePosition | null {
  const last = items.at(-1);
  return last === undefined ? null : positionOf(last);
}

function pageFrom(all: readonly ListedRecord[], { after, limit }: Query): TimePage<ListedRecord> {
  const sorted = all.toSorted((a, b) => comparePositions(positionOf(a), positionOf(b)));
  const rest = sorted.filter((one) => after === null || comparePositions(positionOf(one), after) > 0);
  const last = rest[limit - 1];
  return { items: rest.slice(0, limit), next: rest.length > limit && last !== undefined ? positionOf(last) : null };
}

/** Continues after the number of records on the pages before (offset), not after the position. */
function byOffset(list: List): List {
  const offsets = new Map<string, number>();
  return async (approved, query, context) => {
    const all = await everything(list, approved, query, context);
    const start = query.after === null ? 0 : (offsets.get(JSON.stringify(query.after)) ?? 0);
    const items = all.slice(start, start + query.limit);
    const last = items.at(-1);
    const next = all.length > start + query.limit && last !== undefined ? positionOf(last) : null;
    if (next !== null) offsets.set(JSON.stringify(next), start + query.limit);
    return { items, next };
  };
}
