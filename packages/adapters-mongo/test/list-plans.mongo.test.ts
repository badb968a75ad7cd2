import { Allowlist, NO_REPOSITORY, type ApprovedRepositories, type RepositoryRef, type TimePosition } from '@vitrine/core';
import { LIST_SPECS, NOW, Random, type FilterValues, type ListSpec } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { Db, MongoClient } from 'mongodb';
import { createMongoReaders, ensureIndexes } from '../src/index.js';
import type { StoredDocument } from '../src/documents/document-spec.js';
import { STORED_KINDS } from '../src/documents/documents.js';
import { commandsOf, explained } from './support/explained.js';

const RECORDS = 1_500;
const LIMIT = 20;
const refs = Array.from({ length: 2_000 }, (_, index): RepositoryRef => `team/repository-${String(index).padStart(4, '0')}`);
const context = { signal: new AbortController().signal };

/** A twentieth of the records has no repository, where the kind allows it; half of the others lie in a twentieth of the repositories. */
function scopeOf(spec: ListSpec, random: Random, serial: number) {
  if (spec.scopes !== 'repository' && serial % 20 === 0) return NO_REPOSITORY;
  return refs[random.int(random.chance(0.5) ? 100 : refs.length)] ?? 'team/none';
}

function documentsOf(spec: ListSpec): StoredDocument[] {
  const random = new Random(5);
  const { toDocument } = STORED_KINDS[spec.kind].spec;
  return Array.from({ length: RECORDS }, (_, serial) => toDocument(spec.make(random, scopeOf(spec, random, serial), NOW - serial * 1_000, serial)));
}

describeMongo('the plans of lists', (databases) => {
  let client: MongoClient;
  let db: Db;

  beforeAll(async () => {
    client = await databases.connect({ monitorCommands: true });
    db = client.db((await databases.database()).databaseName);
    for (const spec of LIST_SPECS) await db.collection<StoredDocument>(STORED_KINDS[spec.kind].collection).insertMany(documentsOf(spec));
    await ensureIndexes(db);
  }, 60_000);

  const cases = LIST_SPECS.flatMap((spec) =>
    [null, ...Object.keys(spec.filters)].flatMap((filter) => [1, 20, 200, 201, 1_000].map((count) => ({ kind: spec.kind, filter, count, spec }))),
  );

  it.each(cases)(
    '$kind by $filter, $count approved: no sort, few documents, on the first, a middle and the last page',
    async ({ spec, filter, count }) => {
      // New ones each time, which know of no walk that was slow: the first command is always the one that is meant to be the only one.
      const newReaders = () => createMongoReaders(db, { clock: { now: () => NOW } });
      // Records of no repository are one more scope.
      const approved = Allowlist.of(...refs.slice(0, count)).approved();
      const values = await valuesOf(newReaders(), spec, filter, approved);
      const read = (after: TimePosition | null, limit = LIMIT) =>
        spec.list(newReaders(), approved, { limit, after, from: null, to: NOW }, values, context);
      const positions = await positionsOf((after) => read(after, 100));
      for (const after of positions) {
        const [command, ...others] = await commandsOf(client, () => read(after));
        const { stages, docsExamined, keysExamined } = await explained(db, command ?? {});
        expect([...stages].filter((stage) => ['SORT', 'COLLSCAN', 'SORT_KEY_GENERATOR'].includes(stage))).toEqual([]);
        expect(docsExamined).toBeLessThanOrEqual(3 * (LIMIT + 1));
        // Merging looks once into every list that it merges; a walk by time passes hidden records on their keys.
        const isMerged = stages.has('SORT_MERGE');
        expect(keysExamined).toBeLessThanOrEqual(isMerged ? 2 * count + 4 * LIMIT : RECORDS);
        // On a machine that is busy a walk may take longer than it is given.
        if (isMerged) expect(others).toEqual([]);
      }
    },
  );

  /** The value of the filter that the newest record has. */
  async function valuesOf(readers: ReturnType<typeof createMongoReaders>, spec: ListSpec, filter: string | null, approved: ApprovedRepositories) {
    if (filter === null) return {};
    const page = await spec.list(readers, approved, { limit: LIMIT, after: null, from: null, to: NOW }, {}, context);
    const value = page.items.flatMap((record) => spec.filters[filter]?.(record) ?? [])[0] ?? 'none';
    return { [filter]: value } satisfies FilterValues;
  }
});

type Page = Awaited<ReturnType<ListSpec['list']>>;

async function positionsOf(read: (after: TimePosition | null) => Promise<Page>): Promise<readonly (TimePosition | null)[]> {
  const positions: (TimePosition | null)[] = [null];
  for (let next = (await read(null)).next; next !== null; next = (await read(next)).next) positions.push(next);
  return [...new Set([positions[0] ?? null, positions[positions.length >> 1] ?? null, positions.at(-1) ?? null])];
}
