import { openMemoryStore } from '@vitrine/adapters-memory';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import {
  Allowlist,
  DAY,
  HOUR,
  keyOfIdentity,
  MINUTE,
  SEARCH_TYPES,
  searchWordsOf,
  SERVICE_STATES,
  startOfDay,
  uptimeWindows,
  type RecordIdentity,
  type RecordStore,
  type StoredRecord,
} from '@vitrine/core';
import { aCheck, aProvenance, aService, evidenceFrom, LIST_SPECS, NOW, Random, randomRecords, StandingClock } from '@vitrine/core/testing';

const torture = process.env['VITRINE_TORTURE'] === '1';
const RUNS = torture ? 200 : 1;
const REFS = ['acme/widget', 'acme/gadget', 'acme/secret'] as const;
const KEYS = ['acme:api', 'acme:docs'] as const;
const QUERIES = ['alpha', 'beta ga', 'widget', 'ac', 'gadget al', 'v1', 'api'];
const context = { signal: new AbortController().signal };

/** What a random step does to a store. */
type Step = (store: RecordStore) => Promise<unknown>;

function stepsOf(random: Random): readonly Step[] {
  const stored: StoredRecord[] = [];
  return Array.from({ length: torture ? 6 : 2 }, (_, serial): Step => {
    const fresh = [...randomRecords(random, REFS, serial * 100, 20), ...someChecks(random, 60), ...KEYS.map((key) => aService({ key }))];
    const gone = random.shuffled(stored).slice(0, 5).map(identityOf);
    const approved = Allowlist.of(...REFS.filter(() => random.chance(0.7))).approved();
    stored.push(...fresh);
    return async ({ writer }) => [await writer.remove(gone, context), await writer.put(fresh, context), await writer.indexFor(approved, context)];
  });
}

function someChecks(random: Random, count: number): StoredRecord[] {
  return Array.from({ length: count }, () => {
    const checkedAt = NOW - random.int(40 * 24) * HOUR - random.int(HOUR);
    const provenance = aProvenance({ source: random.pick(['probe', 'provider']), observedAt: checkedAt });
    return aCheck({
      serviceKey: random.pick(KEYS),
      state: random.pick(SERVICE_STATES),
      checkedAt,
      validForMs: random.pick([15 * MINUTE, 5 * HOUR, DAY]),
      responseTimeMs: random.int(2_000),
      provenance,
    });
  });
}

function identityOf(record: StoredRecord): RecordIdentity {
  if (record.kind === 'check') return { kind: 'check', serviceKey: record.serviceKey, checkedAt: record.checkedAt, source: record.provenance.source };
  return record as RecordIdentity;
}

function nameOf(record: StoredRecord): string {
  if (record.kind === 'check') return JSON.stringify(identityOf(record));
  return record.kind === 'status-day' ? `${record.serviceKey} ${String(record.day)}` : `${record.kind} ${keyOfIdentity(record)}`;
}

async function exported({ collection }: RecordStore): Promise<ReadonlyMap<string, StoredRecord>> {
  const records = new Map<string, StoredRecord>();
  for await (const record of collection.records(context)) records.set(nameOf(record), record);
  return records;
}

/** Everything that readers return, for some of the repositories. */
async function answersOf({ readers }: RecordStore, refs: readonly string[]) {
  const approved = Allowlist.of(...refs).approved();
  const window = { from: NOW - 30 * DAY - 7 * MINUTE, to: NOW };
  const days = { from: startOfDay(NOW) - 30 * DAY, to: startOfDay(NOW) };
  const lists = LIST_SPECS.map(async ({ list }) => list(readers, approved, { limit: 40, after: null, from: NOW - 2 * DAY, to: NOW }, {}, context));
  const searches = QUERIES.map(async (q) => {
    const words = searchWordsOf(q) ?? { whole: [], prefix: null };
    const page = await readers.search.search(approved, { words, types: SEARCH_TYPES, limit: 15, after: null, to: NOW }, context);
    return { next: page.next, hits: page.items.map(({ position, record }) => ({ position, record })) };
  });
  const evidence = await evidenceFrom(readers.checks, { serviceKeys: null, windows: uptimeWindows(NOW), now: NOW }, context);
  return {
    lists: await Promise.all(lists),
    searches: await Promise.all(searches),
    repositories: await readers.repositories.list(approved, { limit: 10, after: null }, context),
    syncs: await readers.syncs.list(approved, context),
    evidence: Object.fromEntries(evidence),
    days: Object.fromEntries(await readers.checks.days({ serviceKeys: null, window: days }, context)),
    hours: await Promise.all(KEYS.map((key) => readers.checks.hours(key, days, context))),
    activity: [...(await readers.activity.days(approved, { from: startOfDay(NOW) - 30 * DAY, to: NOW }, context))].sort((a, b) => a.day - b.day),
    checks: await Promise.all(KEYS.map((key) => readers.checks.list(key, { limit: 25, after: null, ...window }, context))),
  };
}

describe('the store on SQLite', () => {
  it.each(Array.from({ length: RUNS }, (_, seed) => seed + 1))(
    'has the same records and answers as the store in memory after the same writes (seed %i)',
    async (seed) => {
      const clock = new StandingClock(NOW);
      const [memory, sqlite] = [await openMemoryStore({ clock }), await openSqliteStore({ clock, path: null })];
      for (const step of stepsOf(new Random(seed))) {
        expect(await step(sqlite)).toEqual(await step(memory));
        expect(await exported(sqlite)).toEqual(await exported(memory));
        for (const refs of [REFS, ['acme/gadget']]) expect(await answersOf(sqlite, refs)).toEqual(await answersOf(memory, refs));
      }
      const { lists, searches, evidence, days, activity } = await answersOf(memory, REFS);
      // The comparison is worth nothing if nothing is found.
      for (const found of [
        lists.flatMap(({ items }) => items),
        searches.flatMap(({ hits }) => hits),
        Object.keys(evidence),
        Object.keys(days),
        activity,
      ])
        expect(found).not.toHaveLength(0);
      await sqlite.close();
    },
    120_000,
  );
});
