import fc from 'fast-check';
import {
  Allowlist,
  DAY,
  HOUR,
  keyOfIdentity,
  MINUTE,
  searchWordsOf,
  SEARCH_TYPES,
  startOfDay,
  type RecordIdentity,
  type RepositoryRef,
  type StoreChange,
  type StoredRecord,
} from '@vitrine/core';
import {
  aCheck,
  aCommit,
  aFinding,
  anIncident,
  aProvenance,
  aRelease,
  aRepositoryRecord,
  aService,
  aStatusDay,
  aSync,
  NOW,
  someNews,
  StandingClock,
} from '@vitrine/core/testing';
import { openMemoryStore, type OpenMemoryStore } from '../index.js';

const context = { signal: new AbortController().signal };
const REFS = ['acme/widget', 'acme/gadget'] as const;
const everything = Allowlist.of(...REFS).approved();
const OLD_DAY = startOfDay(NOW - 500 * DAY);

const ref = fc.constantFrom<RepositoryRef>(...REFS);
const title = fc.constantFrom('widget one', 'widget two');
const time = fc.integer({ min: -3, max: 1 }).map((hours) => NOW + hours * HOUR);
const number = fc.integer({ min: 1, max: 2 });
const key = fc.constantFrom('acme:api', 'acme:docs');

const anyRecord: fc.Arbitrary<StoredRecord> = fc.oneof(
  fc.tuple(ref, fc.constantFrom('main', 'next')).map(([repositoryRef, defaultBranch]) => aRepositoryRecord({ repositoryRef, defaultBranch })),
  fc
    .tuple(ref, number, title, time)
    .map(([repositoryRef, n, text, committedAt]) => aCommit({ repositoryRef, sha: String(n).repeat(40), title: text, committedAt })),
  fc.tuple(ref, number, title, time).map(([repositoryRef, n, name, publishedAt]) => {
    const tagName = `v${String(n)}`;
    return aRelease({ repositoryRef, id: `${repositoryRef}@${tagName}`, tagName, name, publishedAt });
  }),
  fc.tuple(ref, number, title).map(([repositoryRef, n, text]) => aFinding({ repositoryRef, id: `fnd_${String(n)}`, title: text })),
  fc.tuple(number, title).map(([n, text]) => someNews({ id: `nws_${String(n)}`, title: text })),
  fc.tuple(number, title).map(([n, text]) => anIncident({ id: `inc_${String(n)}`, title: text })),
  fc.tuple(key, title).map(([serviceKey, displayName]) => aService({ key: serviceKey, displayName })),
  fc
    .tuple(key, number, fc.constantFrom('operational' as const, 'outage' as const), fc.constantFrom('a', 'b'))
    .map(([serviceKey, n, state, source]) => {
      const checkedAt = NOW - n * MINUTE;
      return aCheck({ serviceKey, state, checkedAt, provenance: aProvenance({ source, observedAt: checkedAt }) });
    }),
  fc.tuple(key, number).map(([serviceKey, n]) => tally(serviceKey, n)),
  fc
    .tuple(ref, fc.constantFrom(null, 'page 2'), fc.option(time, { nil: null }), time)
    .map(([repositoryRef, state, lastSuccessAt, lastAttemptAt]) =>
      aSync({ id: `git:${repositoryRef}`, repositoryRef, state, lastSuccessAt, lastAttemptAt }),
    ),
);

function tally(serviceKey: string, operational: number): StoredRecord {
  const counts = { operational, degraded: 0, outage: 0, maintenance: 0, unknown: 0 };
  return aStatusDay({ serviceKey, day: OLD_DAY, counts, coveredMs: 900, lastCheckedAt: OLD_DAY + 9, coveredUntil: OLD_DAY + 900 });
}

function identityOf(record: StoredRecord): RecordIdentity {
  if (record.kind === 'check') return { kind: 'check', serviceKey: record.serviceKey, checkedAt: record.checkedAt, source: record.provenance.source };
  return record as RecordIdentity;
}

function keyOf(record: StoredRecord): string {
  if (record.kind === 'check') return `check ${record.serviceKey} ${String(record.checkedAt)} ${record.provenance.source}`;
  return record.kind === 'status-day' ? `status-day ${record.serviceKey} ${String(record.day)}` : `${record.kind} ${keyOfIdentity(record)}`;
}

const records = fc.uniqueArray(anyRecord, { minLength: 1, maxLength: 8, selector: keyOf });
const write = fc.oneof(
  { weight: 4, arbitrary: records.map((put) => ({ put }) as const) },
  { weight: 2, arbitrary: records.map((remove) => ({ remove }) as const) },
  { weight: 1, arbitrary: fc.tuple(ref, number, fc.constantFrom('main', 'next')).map((move) => ({ move }) as const) },
  { weight: 1, arbitrary: fc.subarray([...REFS]).map((approve) => ({ approve }) as const) },
);
type Write = typeof write extends fc.Arbitrary<infer Value> ? Value : never;

async function make(planned: Write, { writer }: OpenMemoryStore): Promise<void> {
  if ('put' in planned) await writer.put(planned.put, context);
  else if ('remove' in planned) await writer.remove(planned.remove.map(identityOf), context);
  else if ('move' in planned) {
    const [repositoryRef, n, branch] = planned.move;
    await writer.moveCommits(repositoryRef, [{ sha: String(n).repeat(40), branch }], context);
  } else await writer.indexFor(Allowlist.of(...planned.approve).approved(), context);
}

/** The kind of a record, with its repository or its service. */
function placeOf(record: Readonly<Record<string, unknown>> & { readonly kind: string }): string {
  return `${record.kind} ${String(record['serviceKey'] ?? (record.kind === 'service' ? record['key'] : (record['repositoryRef'] ?? '-')))}`;
}

const placeOfChange = (change: StoreChange): string => `${change.kind} ${change.serviceKey ?? String(change.repositoryRef)}`;

/** Everything that can be read, as texts by a name, which begins with the place of the record. */
async function contents({ collection, readers }: OpenMemoryStore): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for await (const record of collection.records(context)) all.set(`${placeOf({ ...record })}|${keyOf(record)}`, JSON.stringify(record));
  for (const repository of await readers.repositories.byRefs(everything, [...REFS], context))
    all.set(`repository ${repository.repositoryRef}|with facts`, JSON.stringify(repository));
  const words = searchWordsOf('widget');
  if (words === null) throw new TypeError('the query has no words');
  const query = { words, types: SEARCH_TYPES, limit: 100, after: null, to: NOW };
  for (const { record } of (await readers.search.search(everything, query, context)).items)
    all.set(`${placeOf({ ...record })}|found ${keyOf(record)}`, JSON.stringify(record));
  return all;
}

function changedPlaces(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Set<string> {
  const names = new Set([...before.keys(), ...after.keys()]);
  return new Set([...names].filter((name) => before.get(name) !== after.get(name)).map((name) => name.split('|', 1)[0] ?? ''));
}

describe('the announced changes of a memory store', () => {
  it('name every record that reads differently after a random write, each change once, and nothing when nothing has changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 12 }), async (writes) => {
        const store = await openMemoryStore({ clock: new StandingClock(NOW) });
        let batches: (readonly StoreChange[])[] = [];
        store.changes.subscribe((changes) => batches.push(changes));
        for (const planned of writes) {
          const before = await contents(store);
          batches = [];
          await make(planned, store);
          const changed = changedPlaces(before, await contents(store));
          const announced = batches.flat().map(placeOfChange);
          expect(announced).toEqual(expect.arrayContaining([...changed]));
          if (!('approve' in planned)) expect(new Set(announced)).toEqual(changed);
          for (const batch of batches) expect(new Set(batch.map((change) => JSON.stringify(change))).size).toBe(batch.length);
        }
        await store.close();
      }),
      { numRuns: 60 },
    );
  });
});
