import { DAY, MINUTE, SECOND } from '../../kinds/instant.js';
import type { Page } from '../../kinds/page.js';
import { SEARCH_TYPES, type SearchEntry, type SearchPosition, type SearchableRecord } from '../../kinds/search.js';
import type { ReadContext, SearchQuery } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { Allowlist, type ApprovedRepositories } from '../../rules/allowlist.js';
import { searchWordsOf } from '../../rules/search-words.js';
import { NOW, aCommit, aFinding, aRelease, aRepositoryRecord } from '../builders.js';
import { aVideo, anArticle, someNews } from '../content-builders.js';
import { assertSame } from '../contract.js';
import { aService, anIncident } from '../status-builders.js';
import { assertEndsOnAbort } from './aborted-calls.js';
import type { StorePromise } from './check-promises.js';

/** The promises of search, one fixed case each. */
export const SEARCH_PROMISES: readonly StorePromise[] = [
  { name: 'permission is part of the query: approved repositories only, on full pages', run: permission },
  { name: 'nothing later than `to` but planned maintenance', run: nothingLater },
  { name: 'only the types that are asked for', run: onlyTypes },
  { name: 'title hits first, then newest first, then by type and key', run: ordered },
  { name: 'a page begins after a hit that was never stored', run: unknownPosition },
  { name: 'a page is full unless it is the last, and holds up to 100 hits', run: fullPages },
  { name: 'a hit holds its record', run: wholeHits },
  { name: '`signal` ends a call at once', run: endsOnAbort },
];

type Hits = Page<SearchEntry, SearchPosition>;

const approved = Allowlist.of('acme/widget', 'acme/gadget').approved();

type Asked = Partial<Omit<SearchQuery, 'words'>> & { readonly q?: string; readonly list?: ApprovedRepositories };

const EVERYTHING: Omit<SearchQuery, 'words'> = { types: SEARCH_TYPES, limit: 100, after: null, to: NOW };

async function search({ readers }: RecordStore, context: ReadContext, { q = 'zebra', list = approved, ...query }: Asked = {}): Promise<Hits> {
  const words = searchWordsOf(q);
  if (words === null) throw new RangeError(`"${q}" holds no word`);
  return readers.search.search(list, { ...EVERYTHING, ...query, words }, context);
}

const idsOf = (hits: readonly SearchEntry[]): string[] => hits.map(({ position }) => position.id.split(' ', 1).join());

function found(id: string, over: Partial<ReturnType<typeof aFinding>> = {}): SearchableRecord {
  return aFinding({ id, title: 'zebra', summary: '', ...over });
}

async function permission(store: RecordStore, context: ReadContext): Promise<void> {
  const scopes = ['acme/secret', 'acme/widget', 'acme/widget#7', 'acme/gadget', 'other/hidden'] as const;
  const records = Array.from({ length: 15 }, (_, index) => {
    return found(`f${String(index).padStart(2, '0')}`, { repositoryRef: scopes[index % 5] ?? 'acme/secret', detectedAt: NOW - index * SECOND });
  });
  await store.writer.put([...records, someNews({ id: 'n', title: 'zebra', listedAt: NOW - MINUTE })], context);
  const lists = [
    { list: approved, expected: ['f01', 'f03', 'f06', 'f08', 'f11', 'f13', 'n'] },
    { list: approved.only('acme/gadget'), expected: ['f03', 'f08', 'f13'] },
    { list: approved.only('acme/secret'), expected: [] },
    { list: Allowlist.of().approved(), expected: ['n'] },
  ];
  for (const { list, expected } of lists) {
    const seen: string[] = [];
    let after: SearchPosition | null = null;
    do {
      const page: Hits = await search(store, context, { list, limit: 2, after });
      if (page.next !== null) assertSame(page.items.length, 2, 'the length of a page that has a next one');
      seen.push(...idsOf(page.items));
      after = page.next;
    } while (after !== null);
    assertSame(seen, expected, `hits with permission for ${list.refs.join(', ')}`);
  }
}

async function nothingLater(store: RecordStore, context: ReadContext): Promise<void> {
  const to = NOW - MINUTE;
  await store.writer.put([found('later', { detectedAt: to + 1 }), found('at', { detectedAt: to }), found('before', { detectedAt: to - 1 })], context);
  await store.writer.put([aRepositoryRecord(), aService({ displayName: 'zebra' })], context);
  assertSame(
    idsOf((await search(store, context, { to })).items),
    ['acme:widget-api', 'at', 'before'],
    'hits up to `to`, and a service, which has no time',
  );
  const incident = { title: 'zebra', startedAt: to + 1 };
  await store.writer.put(
    [anIncident({ ...incident, id: 'planned', incidentKind: 'maintenance', startedAt: NOW + DAY }), anIncident({ ...incident, id: 'outage' })],
    context,
  );
  assertSame(idsOf((await search(store, context, { to, types: ['incident'] })).items), ['planned'], 'incidents up to `to`');
  const page = await search(store, context, { to, limit: 1, types: ['finding'] });
  assertSame(idsOf(page.items), ['at'], 'a page of 1');
}

async function onlyTypes(store: RecordStore, context: ReadContext): Promise<void> {
  const records = [aCommit({ title: 'zebra' }), aRelease({ name: 'zebra' }), found('f'), someNews({ title: 'zebra' }), anArticle({ title: 'zebra' })];
  await store.writer.put([...records, aService({ displayName: 'zebra' }), anIncident({ title: 'zebra' }), aVideo({ title: 'zebra' })], context);
  for (const types of [['commit'], ['release', 'finding'], ['news', 'article'], ['status-service'], ['incident', 'video']] as const) {
    const { items } = await search(store, context, { types });
    assertSame(items.map(({ position }) => position.type).sort(), [...types].sort(), `hits of ${types.join(' and ')}`);
  }
}

async function ordered(store: RecordStore, context: ReadContext): Promise<void> {
  const untitled = { title: 'horse', summary: 'zebra' };
  const records = [
    found('text-newer', { ...untitled, detectedAt: NOW }),
    found('text-older', { ...untitled, detectedAt: NOW - MINUTE }),
    found('b', { detectedAt: NOW - MINUTE }),
    found('a', { detectedAt: NOW - MINUTE }),
    found('B', { detectedAt: NOW - MINUTE }),
    someNews({ id: 'a', title: 'zebra', listedAt: NOW - MINUTE }),
    anArticle({ id: 'z', title: 'zebra', publishedAt: NOW - MINUTE }),
    found('newest', { detectedAt: NOW - SECOND }),
  ];
  await store.writer.put(records, context);
  const expected = ['newest', 'z', 'B', 'a', 'b', 'a', 'text-newer', 'text-older'];
  assertSame(idsOf((await search(store, context)).items), expected, 'hits in order');
}

async function unknownPosition(store: RecordStore, context: ReadContext): Promise<void> {
  await store.writer.put([found('c'), found('e'), found('text', { title: 'horse', summary: 'zebra' })], context);
  const time = aFinding().detectedAt;
  const cases: readonly { readonly after: SearchPosition; readonly expected: readonly string[] }[] = [
    { after: { tier: 0, time: time + 1, type: 'finding', id: 'x' }, expected: ['c', 'e', 'text'] },
    { after: { tier: 0, time, type: 'finding', id: 'd' }, expected: ['e', 'text'] },
    { after: { tier: 0, time, type: 'commit', id: 'z' }, expected: ['c', 'e', 'text'] },
    { after: { tier: 0, time, type: 'release', id: 'a' }, expected: ['text'] },
    { after: { tier: 1, time: time + 1, type: 'finding', id: 'a' }, expected: ['text'] },
    { after: { tier: 1, time: time - 1, type: 'finding', id: 'a' }, expected: [] },
  ];
  for (const { after, expected } of cases) {
    assertSame(idsOf((await search(store, context, { after })).items), expected, `after ${JSON.stringify(after)}, which is the position of no hit`);
  }
}

async function fullPages(store: RecordStore, context: ReadContext): Promise<void> {
  const ids = Array.from({ length: 101 }, (_, index) => `f${String(index).padStart(3, '0')}`);
  await store.writer.put(
    ids.map((id, index) => found(id, { detectedAt: NOW - index })),
    context,
  );
  for (const limit of [1, 50, 100]) {
    const page = await search(store, context, { limit });
    assertSame([idsOf(page.items), page.next], [ids.slice(0, limit), page.items.at(-1)?.position], `a page of ${String(limit)} of 101 hits`);
    const rest = await search(store, context, { limit, after: page.next });
    assertSame(idsOf(rest.items), ids.slice(limit, 2 * limit), `the page after it`);
    if (limit > 50) assertSame(rest.next, null, '`next` of the last page');
  }
  const exact = await search(store, context, { limit: 1, q: 'zebra', to: NOW - 100 });
  assertSame([idsOf(exact.items), exact.next], [ids.slice(100), null], 'a full page that is the last');
}

async function wholeHits(store: RecordStore, context: ReadContext): Promise<void> {
  const [finding, news] = [found('f', { detectedAt: NOW }), someNews({ title: 'zebra' })];
  await store.writer.put([finding, news], context);
  const { items } = await search(store, context);
  assertSame(
    items.map(({ record }) => record),
    [finding, news],
    'hits',
  );
}

async function endsOnAbort(store: RecordStore, context: ReadContext): Promise<void> {
  await store.writer.put([found('f')], context);
  await assertEndsOnAbort('search', (ended) => search(store, ended));
}
