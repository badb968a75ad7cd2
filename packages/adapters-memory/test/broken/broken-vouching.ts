import type { CallContext, PutReport, RecordIdentity, RecordStore, StatedRecord, StoredRecord } from '@vitrine/core';
import { withCollection, withWriter, type BrokenStore, type Method } from './broken-store.js';

const never = new AbortController().signal;

const STAYS = 'a record of any kind stays until the last source that vouches for it withdraws';
const WITHDRAWS = 'withdrawing a source removes what it alone brought, and leaves checks and sync records';
const TELLS_OWN = 'a source is told of its own commits, releases and findings, and of those for which nobody vouches';
const COPIES = 'putting the statements of a store into another one gives an equal store';

const vouching = (name: string, noticedBy: string, breaks: BrokenStore['breaks']): BrokenStore => ({
  name,
  noticedBy: `vouching: ${noticedBy}`,
  breaks,
});

const withoutSource =
  (right: Method): Method =>
  (records, { source: _ignored, ...context }: CallContext) =>
    right(records, context);

async function statementsOf({ collection }: RecordStore): Promise<readonly StatedRecord[]> {
  const all: StatedRecord[] = [];
  for await (const statement of collection.statements({ signal: never })) all.push(statement);
  return all;
}

const identitiesOf = (records: readonly StoredRecord[]) => records as unknown as readonly RecordIdentity[];

/** A store whose `withdraw` removes what `pick` selects from the statements of the source. */
const removing = (pick: (own: readonly StatedRecord[]) => readonly StatedRecord[]) => (store: RecordStore) =>
  withWriter('withdraw', () => async (source: string, context) => {
    const own = pick((await statementsOf(store)).filter((statement) => statement.source === source));
    return store.writer.remove(identitiesOf(own.map(({ record }) => record)), context);
  })(store);

export const BROKEN_VOUCHING: readonly BrokenStore[] = [
  vouching('put ignores `source`', STAYS, withWriter('put', withoutSource)),
  vouching('remove ignores `source`', STAYS, withWriter('remove', withoutSource)),
  vouching(
    'a source removes nothing for which nobody vouches',
    'a source removes a record for which nobody vouches, and no source is needed to remove any',
    (store) =>
      withWriter('remove', (right) => async (identities: readonly RecordIdentity[], context: CallContext) => {
        const vouched = (await statementsOf(store)).filter(({ source }) => source !== null);
        const known = new Set(vouched.map(({ record }) => JSON.stringify(record)));
        return right(typeof context.source === 'string' ? identities.filter((one) => known.has(JSON.stringify(one))) : identities, context);
      })(store),
  ),
  vouching(
    'withdraw removes nothing',
    WITHDRAWS,
    withWriter('withdraw', () => async () => 0),
  ),
  vouching(
    'withdraw removes what other sources vouch for',
    WITHDRAWS,
    removing((own) => own),
  ),
  vouching('withdraw removes checks', WITHDRAWS, (store) =>
    withWriter('withdraw', (right) => async (source, context) => {
      const checks = (await statementsOf(store)).flatMap(({ record }) =>
        record.kind === 'check' ? [{ ...record, source: record.provenance.source }] : [],
      );
      await store.writer.remove(checks, context);
      return right(source, context);
    })(store),
  ),
  vouching(
    'withdraw stops after a thousand records',
    'withdrawing a source works for many records, and can be repeated',
    removing((own) => own.slice(0, 1_000)),
  ),
  vouching(
    'withdraw ignores `signal`',
    'withdraw rejects when its signal has aborted',
    withWriter('withdraw', (right) => (source) => right(source, { signal: never })),
  ),
  vouching(
    'the record that was put last is shown',
    'each field is what the source with the authority says, in whatever order the sources run',
    (store) =>
      withWriter('put', (right) => async (records, context: CallContext) => {
        const report: PutReport = await right(records, context);
        await store.writer.put(records, { signal: context.signal });
        return report;
      })(store),
  ),
  vouching('put forgets what other sources said', 'what a source said stays when another source puts the record again', (store) =>
    withWriter('put', (right) => async (records: readonly StoredRecord[], context: CallContext) => {
      if (typeof context.source === 'string') await store.writer.remove(identitiesOf(records), { signal: context.signal });
      return right(records, context);
    })(store),
  ),
  vouching('withdraw keeps the fields of the source', 'a record is again what the others say after a source has withdrawn', (store) =>
    withWriter('withdraw', (right) => async (source, context) => {
      const shown: StoredRecord[] = [];
      for await (const record of store.collection.records(context)) shown.push(record);
      const removed: number = await right(source, context);
      const left = new Set((await statementsOf(store)).map(({ record }) => record.kind));
      await store.writer.put(
        shown.filter(({ kind }) => left.has(kind)),
        context,
      );
      return removed;
    })(store),
  ),
  vouching('a forge brings commits', 'a forge names the author of a stored commit, and brings no commit', (store) =>
    withWriter('put', (right) => async (records: readonly StoredRecord[], context: CallContext) => {
      const report: PutReport = await right(records, context);
      const refused = report.refused.flatMap(({ index }) => records[index] ?? []);
      await store.writer.put(refused, { signal: context.signal });
      return { ...report, stored: report.stored + refused.length, refused: [] };
    })(store),
  ),
  vouching(
    'moveCommits moves nothing',
    'a moved commit stays moved when a forge names its author',
    withWriter('moveCommits', () => async () => 1),
  ),
  vouching(
    'put counts a record that a source takes over as stored',
    'a source that takes over a record for which nobody vouches changes nothing that is shown',
    withWriter('put', (right) => async (records, context) => {
      const report: PutReport = await right(records, context);
      return { ...report, stored: records.length, unchanged: 0 };
    }),
  ),
  vouching('commitBranches ignores `source`', TELLS_OWN, withCollection('commitBranches', withoutSource)),
  vouching(
    'ofRepository ignores `source`',
    TELLS_OWN,
    withCollection(
      'ofRepository',
      (right) =>
        (kind, ref, { signal }: CallContext) =>
          right(kind, ref, { signal }),
    ),
  ),
  vouching('commitBranches leaves out commits for which nobody vouches', TELLS_OWN, (store) =>
    withCollection('commitBranches', (right) => async (ref, context: CallContext) => {
      const branches: ReadonlyMap<string, string | null> = await right(ref, context);
      if (typeof context.source !== 'string') return branches;
      const vouched = (await statementsOf(store)).flatMap(({ record, source }) => (record.kind === 'commit' && source !== null ? [record.sha] : []));
      return new Map([...branches].filter(([sha]) => vouched.includes(sha)));
    })(store),
  ),
  vouching('statements leaves out the sources', COPIES, (store) =>
    withCollection(
      'statements',
      () =>
        async function* (context) {
          for await (const record of store.collection.records(context)) yield { record, source: null };
        },
    )(store),
  ),
  vouching('statements gives every source the shown record', COPIES, (store) =>
    withCollection(
      'statements',
      (right) =>
        async function* (context) {
          const shown = new Map<string, StoredRecord>();
          for await (const record of store.collection.records(context)) shown.set(record.kind, record);
          for await (const { record, source } of right(context)) yield { record: record.kind === 'release' ? shown.get('release') : record, source };
        },
    )(store),
  ),
];
