import {
  Allowlist,
  compareHits,
  isFoundUntil,
  isSearchable,
  matchRecord,
  nameOfRef,
  NO_REPOSITORY,
  queryWords,
  scopeOf,
  searchedRepositoryOf,
  searchPositionOf,
  searchWordsOf,
  SEARCH_TYPES,
  normalizeQuery,
  type RecordStore,
  type RepositoryRef,
  type ScopeRef,
  type SearchableRecord,
  type SearchPosition,
  type SearchReader,
  type SearchType,
  type SearchWords,
} from '@vitrine/core';
import { openMemoryStore } from '@vitrine/adapters-memory';
import {
  aCommit,
  aFinding,
  aMission,
  anArticle,
  anIncident,
  aRelease,
  aRepositoryRecord,
  aService,
  aVideo,
  NOW,
  Random,
  someNews,
  withIndex,
} from '@vitrine/core/testing';
import fc from 'fast-check';
import { indexBeside } from './indexed-store.js';
import { openLocalStore } from './open-local-store.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
/** Of each world: records, writes and queries. */
const [RECORDS, WRITES, QUERIES] = torture ? [120, 200, 30] : [60, 80, 15];
const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
const REFS: readonly [RepositoryRef, ...RepositoryRef[]] = ['acme/widgetkit', 'acme/gadget', 'acme/secret'];
const approved = Allowlist.of('acme/widgetkit', 'acme/gadget').approved();
const TEXTS = [
  'catalogue',
  'category',
  'cat',
  'cats',
  'HTTPServer2',
  'deadbeef12',
  'Café crème',
  '東京タワー',
  'ไทย',
  'İstanbul',
  'ﬁx',
  '𝒳𝒴𝒵',
  'a"b*c',
  'NOT OR',
];
/** Any code point but half of one. The name `binary` of the library means the same, and takes a second to make. */
const ANY_CHARACTER = fc
  .integer({ min: 0, max: 0x10_ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
/** Characters that could be split or changed by a tokenizer, and characters with a meaning in a query of FTS5. */
const CHARACTERS = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: ANY_CHARACTER, maxLength: 8 }),
  fc.constantFrom('\0', '^', '"', '-', ':', 'ß', 'ẞ', 'K', 'ſt', '１２'),
);

interface World {
  readonly random: Random;
  readonly texts: readonly string[];
}

const worlds: fc.Arbitrary<World> = fc
  .tuple(fc.nat(), fc.array(CHARACTERS, { minLength: 5, maxLength: 20 }))
  .map(([seed, texts]) => ({ random: new Random(seed), texts: [...TEXTS, ...texts] }));

function someText({ random, texts }: World, most: number): string {
  return Array.from({ length: random.int(most + 1) }, () =>
    random.chance(0.3) ? `ca${random.int(400).toString(36)}` : (texts[random.int(texts.length)] ?? ''),
  ).join(' ');
}

/** There are few times, so that many records are in the same second, and some in the same millisecond. */
function aRecord(world: World, serial: number): SearchableRecord {
  const { random } = world;
  const repositoryRef = random.pick(REFS);
  const scope: ScopeRef = random.chance(0.3) ? NO_REPOSITORY : repositoryRef;
  const text = (most: number): string => someText(world, most);
  const [id, time] = [`r${String(serial)}`, NOW - random.int(4) * 500];
  switch (serial % 9) {
    case 0:
      return aRelease({ repositoryRef, tagName: id, id: `${nameOfRef(repositoryRef)}@${id}`, name: text(3), body: text(6), publishedAt: time });
    case 1:
      return aFinding({ repositoryRef, id, title: text(3), summary: text(6), detectedAt: time });
    case 2:
      return someNews({ id, title: text(3), summary: text(6), listedAt: time });
    case 3:
      return anArticle({ repositoryRef: scope, id, title: text(3), body: text(12), publishedAt: time });
    case 4:
      return aMission({ repositoryRef: scope, id, title: text(3), labels: [text(2)], createdAt: time });
    case 5:
      return aService({ key: `acme:${id}`, displayName: text(3) });
    case 6: {
      const updates = [{ id, state: 'resolved', body: text(6), createdAt: time }] as const;
      const incidentKind = random.pick(['declared', 'maintenance'] as const);
      const startedAt = time + random.int(3) * 1_000;
      return anIncident({ id, title: text(3), incidentKind, startedAt, updates, services: [{ key: 'acme:api', displayName: text(2), impacts: [] }] });
    }
    case 7:
      return aVideo({ repositoryRef: scope, id, title: text(3), description: text(6), channelName: text(2), publishedAt: time });
    default: {
      const sha = `${random.pick(['deadbeef', 'cafe0000', 'ca5e0000'])}${serial.toString(16).padStart(32, '0')}`;
      return aCommit({ repositoryRef, sha, title: text(4), description: text(8), committedAt: time });
    }
  }
}

/** A query of words that records may contain, the last one perhaps shortened. */
function aQuery({ random, texts }: World): SearchWords | null {
  const words = queryWords(someText({ random, texts }, 3)).slice(0, 4);
  const last = [...(words.pop() ?? 'cafe')];
  const shortened = last.slice(0, Math.max(2, last.length - random.int(4))).join('');
  return searchWordsOf(normalizeQuery([...words, shortened].join(' ')) ?? '');
}

/** What the pure rule finds, in its order. */
function expected(
  stored: readonly SearchableRecord[],
  names: ReadonlyMap<string, string>,
  words: SearchWords,
  types: readonly SearchType[],
): SearchPosition[] {
  return stored
    .filter((record) => approved.admits(scopeOf(record)) && isFoundUntil(record, NOW))
    .flatMap((record) => {
      const ref = searchedRepositoryOf(record);
      const match = matchRecord(record, ref === null ? null : (names.get(ref) ?? nameOfRef(ref)), words);
      return match === null ? [] : [{ tier: match.tier, ...searchPositionOf(record) }];
    })
    .filter(({ type }) => types.includes(type))
    .sort(compareHits);
}

async function found(search: SearchReader, words: SearchWords, types: readonly SearchType[], limit: number): Promise<SearchPosition[]> {
  const positions: SearchPosition[] = [];
  let after: SearchPosition | null = null;
  do {
    const page: Awaited<ReturnType<SearchReader['search']>> = await search.search(approved, { words, types, limit, after, to: NOW }, context);
    if (page.next !== null) expect(page.items).toHaveLength(limit);
    positions.push(...page.items.map(({ position }) => position));
    after = page.next;
  } while (after !== null);
  return positions;
}

describe('search against the pure rule', () => {
  it.each<readonly [string, () => Promise<RecordStore>]>([
    ['of a store', () => openLocalStore({ clock, path: null })],
    ['beside a store', async () => withIndex(await openMemoryStore({ clock }), indexBeside)],
  ])(
    'in the index %s finds the same, in the same order, on every page, for any text, after random edits, renames and changes of the allowlist',
    async (_, open) => {
      await fc.assert(
        fc.asyncProperty(worlds, async (world) => {
          const { random } = world;
          const store = await open();
          const name = () => random.pick(['Acme/WidgetKit', 'acme/widgetkit', 'ACME/widGetkIt']);
          const writes = Array.from({ length: WRITES }, (_, index) => (index < RECORDS ? index : random.int(RECORDS)));
          for (let start = 0; start < writes.length; start += 20) {
            const batch = writes.slice(start, start + 20).map((serial) => aRecord(world, serial));
            await store.writer.put([...batch, aRepositoryRecord({ repositoryRef: 'acme/widgetkit', fullName: name() })], context);
            await store.writer.remove(random.chance(0.5) ? batch.filter(() => random.chance(0.2)) : [], context);
            if (random.chance(0.2)) await store.writer.indexFor(Allowlist.of(...REFS.filter(() => random.chance(0.6))).approved(), context);
          }
          await store.writer.indexFor(approved, context);
          const stored: SearchableRecord[] = [];
          for await (const record of store.collection.records(context))
            if (record.kind !== 'check' && record.kind !== 'status-day' && isSearchable(record)) stored.push(record);
          const names = new Map(stored.flatMap((record) => (record.kind === 'repository' ? [[record.repositoryRef, record.fullName]] : [])));
          for (let index = 0; index < QUERIES; index++) {
            const words = aQuery(world);
            const types = random.chance(0.6) ? SEARCH_TYPES : SEARCH_TYPES.filter(() => random.chance(0.4));
            if (words === null || types.length === 0) continue;
            const hits = await found(store.readers.search, words, types, 1 + random.int(30));
            expect({ words, hits }).toEqual({ words, hits: expected(stored, names, words, types) });
          }
          await store.close();
        }),
        { numRuns: torture ? 300 : 1 },
      );
    },
    torture ? 30 * 60_000 : 60_000,
  );
});
