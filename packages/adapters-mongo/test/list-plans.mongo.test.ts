import {
  Allowlist,
  NO_REPOSITORY,
  recordKey,
  timeOf,
  type ApprovedRepositories,
  type ListedRecord,
  type RepositoryRef,
  type TimePosition,
} from '@vitrine/core';
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

/** The newest first, as lists give them. */
function recordsOf(spec: ListSpec): readonly ListedRecord[] {
  const random = new Random(5);
  return Array.from({ length: RECORDS }, (_, serial) => spec.make(random, scopeOf(spec, random, serial), NOW - serial * 1_000, serial));
}

function documentsOf(spec: ListSpec): StoredDocument[] {
  return recordsOf(spec).map(STORED_KINDS[spec.kind].spec.toDocument);
}

/** Where the first page, one in the middle and the last one begin: after any record, for a cursor outlives approvals. */
function positionsOf(spec: ListSpec): readonly (TimePosition | null)[] {
  const records = recordsOf(spec);
  const before = [records[RECORDS >> 1], records.at(-LIMIT)].filter((record) => record !== undefined);
  return [null, ...before.map((record) => ({ time: timeOf(record), id: recordKey(record) }))];
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

  const cases = LIST_SPECS.flatMap((spec) => {
    const positions = positionsOf(spec);
    const filters = [null, ...Object.keys(spec.filters)];
    return filters.flatMap((filter) => [1, 20, 200, 201, 1_000].map((count) => ({ kind: spec.kind, filter, count, spec, positions })));
  });

  it.each(cases)(
    '$kind by $filter, $count approved: no sort, few documents, on the first, a middle and the last page',
    async ({ spec, filter, count, positions }) => {
      // New ones each time, which know of no walk that was slow: the first command is always the one that is meant to be the only one.
      const newReaders = () => createMongoReaders(db, { clock: { now: () => NOW } });
      // Records of no repository are one more scope.
      const approved = Allowlist.of(...refs.slice(0, count)).approved();
      const values = await valuesOf(newReaders(), spec, filter, approved);
      const read = (after: TimePosition | null) => spec.list(newReaders(), approved, { limit: LIMIT, after, from: null, to: NOW }, values, context);
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
