import { Allowlist, DAY, LATEST_INSTANT, SEARCH_TYPES, type Check, type SearchEntry, type TimePosition } from '@vitrine/core';
import { BROKEN_DAYS } from './broken-days.js';
import { brokenSignals, withReader, type BrokenStore, type Loose, type Method } from './broken-store.js';

const HISTORY = 'checks: the history of one service, newest first, then by source, on full pages';
const TIMES = 'checks: the times of a history are closed at both ends';
const POSITION = 'checks: a page of a history begins after a check that was never stored';
const WHOSE = 'checks: evidence only for services that are asked for and were checked';
const AHEAD = 'checks: a check up to 60 s ahead counts as at now, a later one not yet';
const NEWEST = 'checks: the newest check of each source, and the newest whose state is known';
const WINDOWS = 'checks: a window counts both its ends, and a day only what lies inside';

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

const evidence = (name: string, noticedBy: string, change: (right: Method) => Method): BrokenStore => ({
  name: `checks.evidence ${name}`,
  noticedBy,
  breaks: withReader('checks', 'evidence', change),
});

/** The same evidence with other values in some fields. */
const saying =
  (change: (found: Loose) => object) =>
  (right: Method): Method =>
  async (...args) =>
    new Map([...(await right(...args))].map(([key, found]: [string, object]) => [key, { ...found, ...change(found) }]));

const EVIDENCE: readonly BrokenStore[] = [
  evidence('answers for every service', WHOSE, (right) => (query, context) => right({ ...query, serviceKeys: null }, context)),
  evidence(
    'answers for services without checks',
    WHOSE,
    (right) => async (query, context) => new Map([...(await right(query, context)), ['acme:none', {}]]),
  ),
  evidence('counts nothing ahead of now', AHEAD, (right) => (query, context) => right({ ...query, now: query.now - 60_000 }, context)),
  evidence('counts whatever is ahead of now', AHEAD, (right) => (query, context) => right({ ...query, now: query.now + DAY }, context)),
  evidence(
    'gives the newest check whose state is known as the newest',
    NEWEST,
    saying(({ newestKnown }) => ({ newest: newestKnown })),
  ),
  evidence(
    'gives the newest check for the newest whose state is known',
    NEWEST,
    saying(({ newest }) => ({ newestKnown: newest })),
  ),
  evidence(
    'knows one source',
    NEWEST,
    saying(({ newest }) => ({ newest: newest.slice(0, 1) })),
  ),
  evidence(
    'counts windows open at their start',
    WINDOWS,
    (right) => (query, context) =>
      right({ ...query, windows: query.windows.map(({ from, to }: { from: number; to: number }) => ({ from: from + 1, to })) }, context),
  ),
  evidence(
    'counts windows open at their end',
    WINDOWS,
    (right) => (query, context) =>
      right({ ...query, windows: query.windows.map(({ from, to }: { from: number; to: number }) => ({ from, to: to - 1 })) }, context),
  ),
  evidence(
    'gives the windows in another order',
    WINDOWS,
    saying(({ tallies }) => ({ tallies: tallies.toReversed() })),
  ),
  ...brokenSignals('checks', 'evidence', 'checks: `signal` ends a call at once'),
  ...brokenSignals('checks', 'list', 'checks: `signal` ends a call at once'),
];

const EVERYBODY = Allowlist.of('acme/widget', 'acme/gadget', 'acme/secret', 'other/hidden').approved();

const search = (name: string, noticedBy: string, change: (right: Method) => Method): BrokenStore => ({
  name: `search ${name}`,
  noticedBy: `search: ${noticedBy}`,
  breaks: withReader('search', 'search', change),
});

const PERMISSION = 'permission is part of the query: approved repositories only, on full pages';
const PAGES = 'a page is full unless it is the last, and holds up to 100 hits';
const WHOLE = 'a hit holds its record, its fields and its repository';

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
    return { ...page, items: page.items.filter(({ repositoryRef }: SearchEntry) => approved.admits(repositoryRef)) };
  }),
  search(
    'ignores `to`',
    'nothing later than `to`',
    wanting(() => ({ to: LATEST_INSTANT })),
  ),
  search(
    'leaves out what is dated exactly `to`',
    'nothing later than `to`',
    wanting(({ to }) => ({ to: to - 1 })),
  ),
  search(
    'leaves out what has no time',
    'nothing later than `to`',
    hits((items) => items.filter(({ position }) => position.type !== 'status-service')),
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
    'gives hits without fields',
    WHOLE,
    hits((items) => items.map((item) => ({ ...item, fields: [] }))),
  ),
  search(
    'takes every hit for one of no repository',
    WHOLE,
    hits((items) => items.map((item) => ({ ...item, repositoryRef: '-' }))),
  ),
  search(
    'gives hits without text',
    WHOLE,
    hits((items) => items.map((item) => ({ ...item, record: { ...item.record, title: '' } }))),
  ),
  ...brokenSignals('search', 'search', 'search: `signal` ends a call at once'),
];

export const BROKEN_CHECKS_AND_SEARCH: readonly BrokenStore[] = [...HISTORIES, ...EVIDENCE, ...BROKEN_DAYS, ...SEARCH];
