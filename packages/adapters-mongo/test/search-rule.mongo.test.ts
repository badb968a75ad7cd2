import {
  Allowlist,
  compareText,
  matchFields,
  nameOfRef,
  NO_REPOSITORY,
  normalizeQuery,
  repositoryField,
  searchFieldsOf,
  searchWordsOf,
  SEARCH_TYPES,
  type RepositoryRef,
  type SearchableRecord,
  type SearchPosition,
  type SearchReader,
  type SearchType,
  type SearchWords,
} from '@vitrine/core';
import { aRepositoryRecord, NOW, Random } from '@vitrine/core/testing';
import { describeMongo, emptied } from '@vitrine/test-support';
import fc from 'fast-check';
import { COLLECTION_NAMES } from '../src/collections.js';
import { ensureIndexes, openMongoStore } from '../src/index.js';
import { placeOfRecord } from '../src/search/entry-place.js';
import { aSearchableRecord, aSearchQuery } from './support/search-records.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };
const REFS: readonly [RepositoryRef, ...RepositoryRef[]] = ['acme/widgetkit', 'acme/gadget', 'acme/secret'];
const repositories = [
  aRepositoryRecord({ repositoryRef: 'acme/widgetkit', fullName: 'Acme/WidgetKit' }),
  aRepositoryRecord({ repositoryRef: 'acme/secret' }),
];
const approved = Allowlist.of('acme/widgetkit', 'acme/gadget').approved();

interface Findable {
  readonly position: Omit<SearchPosition, 'tier'>;
  readonly fields: ReturnType<typeof searchFieldsOf>;
}

/** An approved record, with everything by which it may be found. */
function findable(record: SearchableRecord): Findable[] {
  const { repositoryRef, time, type, id } = placeOfRecord(record);
  return approved.admits(repositoryRef) ? [{ position: { time, type, id }, fields: [...searchFieldsOf(record), ...nameField(record)] }] : [];
}

/** The result of the pure rule, in its order. */
function expected(all: readonly Findable[], words: SearchWords, types: readonly SearchType[]): SearchPosition[] {
  return all
    .filter(({ position }) => types.includes(position.type))
    .flatMap(({ position, fields }) => {
      const tier = matchFields(fields, words)?.tier;
      return tier === undefined ? [] : [{ tier, ...position }];
    })
    .sort((a, b) => a.tier - b.tier || b.time - a.time || compareText(a.type, b.type) || compareText(a.id, b.id));
}

function nameField(record: SearchableRecord) {
  const { repositoryRef: scope } = placeOfRecord(record);
  if (scope === NO_REPOSITORY || record.kind === 'repository') return [];
  return [repositoryField(repositories.find(({ repositoryRef }) => repositoryRef === scope)?.fullName ?? nameOfRef(scope))];
}

function inRandomParts(random: Random, records: readonly SearchableRecord[]): readonly SearchableRecord[][] {
  const parts: SearchableRecord[][] = [];
  for (let start = 0; start < records.length;) {
    const size = random.chance(0.5) ? 1 : 1 + random.int(30);
    parts.push(records.slice(start, start + size));
    start += size;
  }
  return parts;
}

async function found(search: SearchReader, words: SearchWords, types: readonly SearchType[], limit: number): Promise<SearchPosition[]> {
  const positions: SearchPosition[] = [];
  let after: SearchPosition | null = null;
  do {
    const page = await search.search(approved, { words, types, limit, after, to: NOW }, context);
    if (page.next !== null) expect(page.items).toHaveLength(limit);
    positions.push(...page.items.map(({ position }) => position));
    after = page.next;
  } while (after !== null);
  return positions;
}

describeMongo('search against the pure rule', (databases) => {
  it(
    'finds the same, in the same order, on every page, for words of any script, prefixes and shas, after random edits',
    async () => {
      const db = await databases.database();
      await ensureIndexes(db);
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (seed) => {
          const random = new Random(seed);
          await emptied(db, COLLECTION_NAMES);
          const { readers, writer } = openMongoStore(db, { clock: { now: () => NOW } });
          const first = Array.from({ length: 150 }, (_, serial) => aSearchableRecord(random, REFS, serial));
          // Some of these seeds create records with the same id. Those are changes.
          const edits = Array.from({ length: 60 }, () => aSearchableRecord(random, REFS, random.int(150)));
          // Many writes, some of them for the same record, so that segments are merged from time to time.
          const parts = inRandomParts(random, [...first, ...edits]);
          const half = random.int(parts.length);
          for (const part of parts.slice(0, half)) await writer.put(part, context);
          await writer.put(repositories, context);
          for (const part of parts.slice(half)) await writer.put(part, context);
          await writer.remove(
            first.filter(() => random.chance(0.1)),
            context,
          );
          const stored: Findable[] = [];
          for await (const record of openMongoStore(db, { clock: { now: () => NOW } }).collection.records(context))
            stored.push(...findable(record as SearchableRecord));
          for (let index = 0; index < 40; index++) {
            const words = searchWordsOf(normalizeQuery(aSearchQuery(random)) ?? '');
            const types = random.chance(0.6) ? SEARCH_TYPES : SEARCH_TYPES.filter(() => random.chance(0.4));
            if (words === null || types.length === 0) continue;
            expect({ words, found: await found(readers.search, words, types, 1 + random.int(30)) }).toEqual({
              words,
              found: expected(stored, words, types),
            });
          }
        }),
        { numRuns: torture ? 200 : 1 },
      );
    },
    torture ? 1_800_000 : 120_000,
  );
});
