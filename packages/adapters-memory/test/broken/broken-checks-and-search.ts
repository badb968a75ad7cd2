import {
  Allowlist,
  DAY,
  LATEST_INSTANT,
  SEARCH_TYPES,
  startOfDay,
  type Check,
  type LatestOfSource,
  scopeOf,
  type SearchEntry,
  type StatusHour,
  type TimePosition,
} from '@vitrine/core';
import { BROKEN_DAYS } from './broken-days.js';
import { brokenSignals, withReader, type BrokenStore, type Loose, type Method } from './broken-store.js';

const HISTORY = 'checks: the history of one service, newest first, then by source, on full pages';
const TIMES = 'checks: the times of a history are closed at both ends';
const POSITION = 'checks: a page of a history begins after a check that was never stored';
const WHOSE = 'checks: what is present only of services that are asked for and were checked';
const AHEAD = 'checks: a check up to 60 s ahead counts as at now, a later one not yet';
const NEWEST = 'checks: the newest check of each source, and the newest whose state is known';
const WINDOWS = 'checks: a window counts both its ends, and stored days and hours only what lies inside';
const RANGES = 'checks: ranges begin at a full hour and end before a day, each with its own sum';
const SIGNAL = 'checks: `signal` ends a call at once';

const history = (name: string, noticedBy: string, change: (right: Method) => Method): BrokenStore => ({
  name: `checks.list ${name}`,
  noticedBy,
  breaks: withReader('checks', 'list', change),
});

const asking =
  (change: (query: { to: number; from: number | null; limit: number; after: TimePosition | null }) => object) =>
  (right: Method): Method =>
  (key, query, context) =>
    right(key, { ...query, ...change(query) }, context);

const HISTORIES: readonly BrokenStore[] = [
  history(
    'ignores `to`',
    TIMES,
    asking(() => ({ to: LATEST_INSTANT })),
  ),
  history(
    'ignores `from`',
    TIMES,
    asking(() => ({ from: null })),
  ),
  history(
    'leaves out what is dated exactly `to`',
    TIMES,
    asking(({ to }) => ({ to: to - 1 })),
  ),
  history(
    'leaves out what is dated exactly `from`',
    TIMES,
    asking(({ from }) => ({ from: from === null ? null : from + 1 })),
  ),
  history(
    'ignores `to` from the second page on',
    TIMES,
    asking(({ to, after }) => ({ to: after === null ? to : LATEST_INSTANT })),
  ),
  history(
    'gives one check too many',
    HISTORY,
    asking(({ limit }) => ({ limit: limit + 1 })),
  ),
  history('never says that there is a next page', HISTORY, (right) => async (...args) => ({ ...(await right(...args)), next: null })),
  history('orders the sources of a moment backwards', HISTORY, (right) => async (...args) => {
    const page = await right(...args);
    const items = page.items.toSorted((a: Check, b: Check) => b.checkedAt - a.checkedAt || (a.provenance.source < b.provenance.source ? 1 : -1));
    return { ...page, items };
  }),
  history('takes a service for another that begins alike', HISTORY, (right) => async (key, query, context) => {
    const page = await right(key, query, context);
    return page.items.length === 0 && key === 'acme:none' ? right('acme:api', query, context) : page;
  }),
  history('looks the check of a position up', POSITION, (right) => async (key, query, context) => {
    const all = await right(key, { limit: 100, after: null, from: null, to: LATEST_INSTANT }, context);
    const isAt = ({ checkedAt, provenance }: Check) => checkedAt === query.after.time && provenance.source === query.after.id;
    return query.after === null || all.items.some(isAt) ? right(key, query, context) : { items: [], next: null };
  }),
  history(
    'goes on after the time of a position',
    POSITION,
    asking(({ after }) => ({ after: after === null ? null : { ...after, id: '~' } })),
  ),
];

const present = (name: string, noticedBy: string, change: (right: Method) => Method): BrokenStore => ({
  name: `checks.present ${name}`,
  noticedBy,
  breaks: withReader('checks', 'present', change),
});

/** The same with other values in some fields. */
const saying =
  (change: (found: Loose) => object) =>
  (right: Method): Method =>
  async (...args) =>
    new Map([...(await right(...args))].map(([key, found]: [string, object]) => [key, { ...found, ...change(found) }]));

/** Other newest checks of each source. */
const withSources = (change: (sources: readonly LatestOfSource[]) => readonly object[]) =>
  saying(({ latest, checks }) => ({ latest: { ...latest, sources: change(latest.sources) }, checks: checks.slice(0, 0) }));

const PRESENT: readonly BrokenStore[] = [
  present('answers for every service', WHOSE, (right) => (query, context) => right({ ...query, serviceKeys: null }, context)),
  present(
    'answers for services without checks',
    WHOSE,
    (right) => async (query, context) => new Map([...(await right(query, context)), ['acme:none', {}]]),
  ),
  present(
    'reads no raw check ahead of now',
    AHEAD,
    (right) => async (query, context) =>
      saying(({ checks }) => ({ checks: checks.filter(({ checkedAt }: Check) => checkedAt <= query.now) }))(right)(query, context),
  ),
  present(
    'gives the newest check whose state is known as the newest',
    NEWEST,
    withSources((sources) => sources.map(({ newest, known }) => ({ newest: known ?? newest, known }))),
  ),
  present(
    'gives the newest check for the newest whose state is known',
    NEWEST,
    withSources((sources) => sources.map(({ newest }) => ({ newest, known: newest }))),
  ),
  present(
    'knows one source',
    NEWEST,
    withSources((sources) => sources.slice(0, 1)),
  ),
  present(
    'leaves the hours of today out',
    WINDOWS,
    saying(({ hours }) => ({ hours: hours.map((hour: StatusHour) => ({ ...hour, counts: { ...hour.counts, operational: 0 } })) })),
  ),
  ...brokenSignals('checks', 'present', SIGNAL),
  ...brokenSignals('checks', 'list', SIGNAL),
];

const sums = (name: string, noticedBy: string, change: (right: Method) => Method): BrokenStore => ({
  name: `checks.sums ${name}`,
  noticedBy,
  breaks: withReader('checks', 'sums', change),
});

const ranging =
  (change: (range: { readonly from: number; readonly to: number }) => object) =>
  (right: Method): Method =>
  (query, context) =>
    right({ ...query, ranges: query.ranges.map(change) }, context);

const SUMS: readonly BrokenStore[] = [
  sums(
    'counts whole days at the start',
    RANGES,
    ranging((range) => ({ ...range, from: startOfDay(range.from) })),
  ),
  sums(
    'leaves the hours at the start out',
    RANGES,
    ranging((range) => ({ ...range, from: Math.min(range.to, startOfDay(range.from + DAY - 1)) })),
  ),
  sums(
    'counts the day at the end',
    RANGES,
    ranging((range) => ({ ...range, to: range.to + DAY })),
  ),
  sums('gives the ranges in another order', RANGES, (right) => async (...args) => {
    const found: ReadonlyMap<string, readonly object[]> = await right(...args);
    return new Map([...found].map(([key, tallies]) => [key, tallies.toReversed()]));
  }),
  sums('answers for every service', RANGES, (right) => (query, context) => right({ ...query, serviceKeys: null }, context)),
  ...brokenSignals('checks', 'sums', SIGNAL),
];

const EVERYBODY = Allowlist.of('acme/widget', 'acme/gadget', 'acme/secret', 'other/hidden').approved();

const search = (name: string, noticedBy: string, change: (right: Method) => Method): BrokenStore => ({
  name: `search ${name}`,
  noticedBy: `search: ${noticedBy}`,
  breaks: withReader('search', 'search', change),
});

const PERMISSION = 'permission is part of the query: approved repositories only, on full pages';
const PAGES = 'a page is full unless it is the last, and holds up to 100 hits';

const hits =
  (change: (items: SearchEntry[]) => readonly object[]) =>
  (right: Method): Method =>
  async (...args) => {
    const page = await right(...args);
    return { ...page, items: change(page.items) };
  };

const wanting =
  (change: (query: Loose) => object) =>
  (right: Method): Method =>
  (approved, query, context) =>
    right(approved, { ...query, ...change(query) }, context);

const SEARCH: readonly BrokenStore[] = [
  search('ignores the permission', PERMISSION, (right) => (_approved, query, context) => right(EVERYBODY, query, context)),
  search('applies the permission after it has read a page', PERMISSION, (right) => async (approved, query, context) => {
    const page = await right(EVERYBODY, query, context);
    return { ...page, items: page.items.filter(({ record }: SearchEntry) => approved.admits(scopeOf(record))) };
  }),
  search(
    'ignores `to`',
    'nothing later than `to` but planned maintenance',
    wanting(() => ({ to: LATEST_INSTANT })),
  ),
  search(
    'leaves out what is dated exactly `to`',
    'nothing later than `to` but planned maintenance',
    wanting(({ to }) => ({ to: to - 1 })),
  ),
  search(
    'leaves out what has no time',
    'nothing later than `to` but planned maintenance',
    hits((items) => items.filter(({ position }) => position.type !== 'status-service')),
  ),
  search(
    'leaves out planned maintenance',
    'nothing later than `to` but planned maintenance',
    hits((items) => items.filter(({ record }) => record.kind !== 'incident' || record.incidentKind !== 'maintenance')),
  ),
  search(
    'ignores the types',
    'only the types that are asked for',
    wanting(() => ({ types: SEARCH_TYPES })),
  ),
  search(
    'orders by time alone',
    'title hits first, then newest first, then by type and key',
    hits((items) => items.toSorted((a, b) => b.position.time - a.position.time)),
  ),
  search(
    'orders by key before type',
    'title hits first, then newest first, then by type and key',
    hits((items) =>
      items.toSorted((a, b) => a.position.tier - b.position.tier || b.position.time - a.position.time || (a.position.id < b.position.id ? -1 : 1)),
    ),
  ),
  search('looks the hit of a position up', 'a page begins after a hit that was never stored', (right) => async (approved, query, context) => {
    const all = await right(approved, { ...query, after: null }, context);
    const isAt = ({ position }: SearchEntry) => position.id === query.after.id && position.time === query.after.time;
    return query.after === null || all.items.some(isAt) ? right(approved, query, context) : { items: [], next: null };
  }),
  search(
    'gives at most 50 hits',
    PAGES,
    wanting(({ limit }) => ({ limit: Math.min(limit, 50) })),
  ),
  search(
    'gives one hit too many',
    PAGES,
    wanting(({ limit }) => ({ limit: limit + 1 })),
  ),
  search('says that there is a next page when this one is full', PAGES, (right) => async (approved, query, context) => {
    const page = await right(approved, query, context);
    return { ...page, next: page.items.length === query.limit ? page.items.at(-1).position : null };
  }),
  search(
    'gives hits without text',
    'a hit holds its record',
    hits((items) => items.map((item) => ({ ...item, record: { ...item.record, title: '' } }))),
  ),
  ...brokenSignals('search', 'search', 'search: `signal` ends a call at once'),
];

export const BROKEN_CHECKS_AND_SEARCH: readonly BrokenStore[] = [...HISTORIES, ...PRESENT, ...SUMS, ...BROKEN_DAYS, ...SEARCH];
