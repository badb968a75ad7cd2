import {
  Allowlist,
  NO_REPOSITORY,
  keyOfIdentity,
  scopeOf,
  timeOf,
  type ApprovedRepositories,
  type ListedRecord,
  type RepositoryRef,
  type TimePosition,
} from '@vitrine/core';
import { LIST_SPECS, NOW, Random, type FilterValues, type ListSpec } from '@vitrine/core/testing';
import { describeMongo, isTorture, sampled } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import type { StoredDocument } from '../src/documents/codec.js';
import { specOf } from '../src/documents/documents.js';
import { createMongoReaders, initStore } from '../src/index.js';
import { commandsOf, explained } from './support/explained.js';

const RECORDS = isTorture ? 800 : 400;
const LIMIT = 20;
const TRIES = 10;
const refs = Array.from({ length: 2_000 }, (_, index): RepositoryRef => `team/repository-${String(index).padStart(4, '0')}`);
const context = { signal: new AbortController().signal };

/** A twentieth of the records has no repository, if the kind allows it. Half of the others belong to a twentieth of the repositories. */
function chosenScope(spec: ListSpec, random: Random, serial: number) {
  if (spec.scopes !== 'repository' && serial % 20 === 0) return NO_REPOSITORY;
  return refs[random.int(random.chance(0.5) ? 100 : refs.length)] ?? 'team/none';
}

/** Newest first, in the order of lists. */
function recordsOf(spec: ListSpec): readonly ListedRecord[] {
  const random = new Random(5);
  return Array.from({ length: RECORDS }, (_, serial) => spec.make(random, chosenScope(spec, random, serial), NOW - serial * 1_000, serial));
}

const COUNTS = [1, 20, 200, 201, 1_000];
const APPROVED = new Map(COUNTS.map((count) => [count, Allowlist.of(...refs.slice(0, count)).approved()]));

/** The start of the first page, of one in the middle and of the last one. A position may be any record, because a cursor stays valid after approvals change. */
function positionsOf(records: readonly ListedRecord[]): readonly (TimePosition | null)[] {
  const before = [records[RECORDS >> 1], records.at(-LIMIT)].filter((record) => record !== undefined);
  return [null, ...before.map((record) => ({ time: timeOf(record), id: keyOfIdentity(record) }))];
}

describeMongo('the plans of lists', (databases) => {
  let db: Db;

  const stored = new Map<ListSpec, readonly ListedRecord[]>();
  const all = LIST_SPECS.flatMap((spec) => {
    const filters = [null, ...Object.keys(spec.filters)];
    // Records that belong to no repository are listed in the same way for all approvals.
    const approvals = [...APPROVED].slice(0, spec.scopes === 'none' ? 1 : COUNTS.length);
    return filters.flatMap((filter) =>
      (filter === null ? [1] : [1, 3]).flatMap((values) =>
        approvals.map(([count, approved]) => ({ kind: spec.kind, filter, values, count, spec, approved })),
      ),
    );
  });
  const cases = sampled(all, 19);

  beforeAll(async () => {
    db = await databases.prepared(initStore, { monitorCommands: true });
    for (const spec of new Set(cases.map((one) => one.spec))) {
      const records = recordsOf(spec);
      stored.set(spec, records);
      const { collection, toDocument } = specOf(spec.kind);
      await db.collection<StoredDocument>(collection).insertMany(records.map((record) => toDocument(record)));
    }
  });

  it.each(cases)(
    '$kind by $values of $filter, $count approved: no sort, few documents, on the first, a middle and the last page',
    async ({ spec, filter, values, count, approved }) => {
      const records = stored.get(spec) ?? [];
      const chosen = valuesOf(spec, filter, values, shownOf(spec, records, approved));
      // New readers each time, which remember no slow scan. So the first command is always the one that should be enough.
      const read = (after: TimePosition | null) =>
        spec.list(createMongoReaders(db, { clock: { now: () => NOW } }), approved, { limit: LIMIT, after, from: null, to: NOW }, chosen, context);
      for (const after of positionsOf(records)) {
        const [command, ...others] = await commandsOf(db.client, () => read(after));
        const { stages, docsExamined, keysExamined } = await explained(db, command ?? {});
        expect([...stages].filter((stage) => ['SORT', 'COLLSCAN', 'SORT_KEY_GENERATOR'].includes(stage))).toEqual([]);
        expect(docsExamined).toBeLessThanOrEqual(3 * (LIMIT + values));
        // A merge reads one key of every list that it merges. A scan by time skips hidden records by their index keys.
        const isMerged = stages.has('SORT_MERGE');
        expect(keysExamined).toBeLessThanOrEqual(isMerged ? 2 * values * count + 4 * LIMIT : values * RECORDS);
        // On a busy machine, a command may exceed its time limit, and further commands follow. A merge does not exceed it each time.
        for (let tries = 1; isMerged && others.length > 0 && tries < TRIES; tries += 1)
          others.splice(0, others.length, ...(await commandsOf(db.client, () => read(after))).slice(1));
        if (isMerged) expect(others).toEqual([]);
      }
    },
  );
});

function shownOf(spec: ListSpec, records: readonly ListedRecord[], approved: ApprovedRepositories): readonly ListedRecord[] {
  return records.filter((record) => spec.scopes === 'none' || approved.admits(scopeOf(record)));
}

/** So many values of the filter, from the newest records on. */
function valuesOf(spec: ListSpec, filter: string | null, count: number, shown: readonly ListedRecord[]): FilterValues {
  if (filter === null) return {};
  const values = [...new Set(shown.flatMap((record) => spec.filters[filter]?.(record) ?? []))].slice(0, count);
  return { [filter]: values.length === 0 ? 'none' : values };
}
