import { scopeOf } from '../../kinds/identity.js';
import { SECOND } from '../../kinds/instant.js';
import type { Page } from '../../kinds/page.js';
import { NO_REPOSITORY, type RepositoryRef, nameOfRef } from '../../kinds/repository-name.js';
import { SEARCH_TYPES, type SearchEntry, type SearchPosition, type SearchType, type SearchableRecord } from '../../kinds/search.js';
import type { ReadContext, SearchQuery } from '../../ports/readers.js';
import type { RecordStore, StoreReaders } from '../../ports/store.js';
import { Allowlist, type ApprovedRepositories } from '../../rules/allowlist.js';
import { compareHits, isFoundUntil, matchRecord, searchPositionOf, searchTypeOf, searchedRepositoryOf } from '../../rules/search-fields.js';
import { type SearchWords, searchWordsOf } from '../../rules/search-words.js';
import { NOW, aCommit, aFinding, aMission, aRelease, aRepositoryRecord } from '../builders.js';
import { aVideo, anArticle, someNews } from '../content-builders.js';
import { type ContractCase, type ContractOptions, StandingClock, assertSame, namedCase, withSeeds, withStore } from '../contract.js';
import { Random } from '../random.js';
import { aService, anIncident } from '../status-builders.js';
import { SEARCH_PROMISES } from './search-promises.js';

const approved = Allowlist.of('acme/widget', 'acme/gadget').approved();
export const REFS: readonly [RepositoryRef, ...RepositoryRef[]] = ['acme/widget', 'acme/gadget', 'acme/secret'];
const VOCABULARY = [
  'cat',
  'cats',
  'catalogue',
  'café',
  'carPark',
  'car_wash',
  'widget',
  'GitHub',
  'src/cache.ts',
  '東京タワー',
  'x',
  'v2',
  'deadbeef99',
  'ca',
] as const;
export const QUERIES = [
  'ca',
  'cat',
  'cats cat',
  'catal',
  'cafe',
  'car park',
  'widget ca',
  'acme',
  'github',
  '京タ',
  'x',
  'v2 x',
  'deadbe',
  'deadbeef',
  'acme widget cat',
  'cache ts',
  '東',
  'gad',
] as const;

/** Search returns exactly the hits that the pure rule finds among approved records, in the same order, up to the last page. */
export function searchContract(options: ContractOptions): readonly ContractCase[] {
  return [
    ...SEARCH_PROMISES.map(({ name, run }) =>
      namedCase(`search: ${name}`, () => withStore(options, new StandingClock(NOW), (store) => run(store, options.context))),
    ),
    namedCase('search: finds exactly what the rule finds, in order, on every page', () =>
      withSeeds(options, (seed) => againstTheRule(options, new Random(seed))),
    ),
    namedCase('search: follows edits and deletions', () =>
      withStore(options, new StandingClock(NOW), (store) => followsEdits(store, options.context)),
    ),
  ];
}

async function againstTheRule(options: ContractOptions, random: Random): Promise<void> {
  await withStore(options, new StandingClock(NOW), async (store) => {
    const records = [
      ...REFS.map((repositoryRef) => aRepositoryRecord({ repositoryRef })),
      ...Array.from({ length: options.runs > 20 ? 60 : 40 }, (_, serial) => randomRecord(random, serial)),
    ];
    await store.writer.put(random.shuffled(records), options.context);
    const gone = records.filter((record) => record.kind === 'commit' && random.chance(0.2));
    await store.writer.remove(
      gone.flatMap((record) => (record.kind === 'commit' ? [record] : [])),
      options.context,
    );
    const kept = records.filter((record) => !gone.includes(record));
    for (const q of QUERIES) {
      const types = random.chance(0.6) ? SEARCH_TYPES : SEARCH_TYPES.filter(() => random.chance(0.5));
      const words = searchWordsOf(q);
      if (words === null || types.length === 0) continue;
      const found = await everyPage(store.readers, approved, { words, types, limit: random.pick([1, 3, 5, 8, 13]) }, options.context);
      assertSame(
        found.map(({ position }) => position),
        expectedPositions(kept, approved, words, types),
        `positions of "${q}"`,
      );
    }
  });
}

async function followsEdits({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const find = async (q: string): Promise<number> => {
    const words = searchWordsOf(q);
    if (words === null) return 0;
    return (await readers.search.search(approved, { words, types: SEARCH_TYPES, limit: 10, after: null, to: NOW }, context)).items.length;
  };
  for (const version of [
    (title: string) => aFinding({ title, summary: '' }),
    (body: string) => anIncident({ updates: [{ id: 'inc_1~1', state: 'investigating', body, createdAt: NOW }] }),
    (channelName: string) => aVideo({ channelName }),
  ]) {
    const { kind } = version('');
    await writer.put([version('zebra')], context);
    assertSame([await find('zebra'), await find('zeb'), await find('okapi')], [1, 1, 0], `${kind} after storing`);
    await writer.put([version('okapi')], context);
    assertSame([await find('zebra'), await find('okapi')], [0, 1], `${kind} after an edit`);
    await writer.remove([version('')], context);
    assertSame([await find('okapi')], [0], `${kind} after the deletion`);
  }
}

/** Reads all hits, page by page. */
export async function everyPage(
  readers: StoreReaders,
  list: ApprovedRepositories,
  query: Pick<SearchQuery, 'words' | 'types' | 'limit'>,
  context: ReadContext,
): Promise<SearchEntry[]> {
  const found: SearchEntry[] = [];
  let after: SearchPosition | null = null;
  do {
    const page: Page<SearchEntry, SearchPosition> = await readers.search.search(list, { ...query, after, to: NOW }, context);
    if (page.next !== null) assertSame(page.items.length, query.limit, 'the length of a page that has a next one');
    found.push(...page.items);
    after = page.next;
  } while (after !== null);
  return found;
}

/** The positions of the hits that the pure rule finds, in their order. */
export function expectedPositions(
  records: readonly SearchableRecord[],
  list: ApprovedRepositories,
  words: SearchWords,
  types: readonly SearchType[],
): SearchPosition[] {
  const visible = records.filter((record) => types.includes(searchTypeOf(record)) && list.admits(scopeOf(record)) && isFoundUntil(record, NOW));
  return visible
    .flatMap((record) => {
      const ref = searchedRepositoryOf(record);
      const match = matchRecord(record, ref === null ? null : nameOfRef(ref), words);
      return match === null ? [] : [{ tier: match.tier, ...searchPositionOf(record) }];
    })
    .sort(compareHits);
}

/** A record of any searchable kind except `repository`. */
export function randomRecord(random: Random, serial: number): SearchableRecord {
  const repositoryRef = random.pick(REFS);
  const text = (): string => Array.from({ length: random.int(5) }, () => random.pick(VOCABULARY)).join(' ');
  const id = `r${String(serial)}`;
  const time = NOW - random.int(8) * SECOND;
  switch (random.int(9)) {
    case 0:
      return aRelease({ repositoryRef, tagName: id, name: text(), body: text(), publishedAt: time });
    case 1:
      return aFinding({ repositoryRef, id, title: text(), summary: text(), detectedAt: time });
    case 2:
      return someNews({ id, title: text(), summary: text(), listedAt: time });
    case 3:
      return anArticle({ repositoryRef: random.chance(0.5) ? NO_REPOSITORY : repositoryRef, id, title: text(), body: text(), publishedAt: time });
    case 4:
      return aMission({ repositoryRef, id, title: text(), labels: [text()], createdAt: time });
    case 5:
      return aService({ key: `acme:${id}`, displayName: text() });
    case 6:
      return randomIncident(random, id, { title: text(), name: text(), said: text() });
    case 7:
      return aVideo({ repositoryRef: random.chance(0.5) ? NO_REPOSITORY : repositoryRef, id, title: text(), channelName: text(), publishedAt: time });
    default: {
      const sha = `${random.pick(['deadbeef', 'deadbee0', 'cafe0000'])}${serial.toString(16).padStart(32, '0')}`;
      return aCommit({ repositoryRef, sha, title: text(), description: text(), committedAt: time });
    }
  }
}

/** Some are of the future: planned maintenance, which is found, and others, which are not. */
function randomIncident(random: Random, id: string, { title, name, said }: Readonly<Record<'title' | 'name' | 'said', string>>): SearchableRecord {
  return anIncident({
    id,
    title,
    incidentKind: random.pick(['declared', 'detected', 'maintenance']),
    startedAt: NOW + (random.int(8) - 5) * SECOND,
    services: [{ key: 'acme:cat', displayName: name, impacts: [] }],
    updates: [{ id: `${id}~1`, state: 'investigating', body: said, createdAt: NOW }],
  });
}
