import type { PutReport, ReadContext, RecordIdentity, StoredRecord } from '@vitrine/core';
import { BROKEN_SIGNALS, SYNC_FIELDS, withCollection, withReader, withWriter, type BrokenStore, type Method } from './broken-store.js';

type Put = (records: readonly StoredRecord[], context: ReadContext) => Promise<PutReport>;

const never = new AbortController().signal;
const ignoringSignal =
  (right: Method): Method =>
  (...args) =>
    right(...args.slice(0, -1), { signal: never });

const put = (name: string, noticedBy: string, change: (right: Put) => Put): BrokenStore => ({
  name: `put ${name}`,
  noticedBy: `writing: ${noticedBy}`,
  breaks: withWriter('put', (right) => change(right as Put) as Method),
});

const writing = (name: string, noticedBy: string, breaks: BrokenStore['breaks']): BrokenStore => ({
  name,
  noticedBy: `writing: ${noticedBy}`,
  breaks,
});

const FIRST_STORED = 'keeps what is fixed when first stored';
const ENDED = 'rejects when its signal has aborted';
const DERIVES = 'derives the latest release and activity of a repository, nothing of the future';
const TELLS = 'tells a collector what is stored, whatever the allowlist says';
const MOVES = 'moves commits to other branches';

const without =
  (field: string) =>
  (right: Method): Method =>
  async (...args) =>
    (await right(...args)).map((repository: object) => ({ ...repository, [field]: null }));

const backwards = (right: Method): Method =>
  async function* (...args) {
    const records: StoredRecord[] = [];
    for await (const record of right(...args)) records.unshift(record);
    yield* records;
  };

/** Removes a record before it is stored again, so that no field of the stored one is kept. */
const anew = (kind: StoredRecord['kind']) => (store: Parameters<BrokenStore['breaks']>[0]) =>
  withWriter('put', (right) => async (records: readonly StoredRecord[], context) => {
    const again = records.filter((record) => record.kind === kind) as unknown as RecordIdentity[];
    await store.writer.remove(again, context);
    return right(records, context);
  })(store);

export const BROKEN_WRITERS: readonly BrokenStore[] = [
  put('stores a record twice', 'the same record stored twice is one record', (right) => async (records, context) => {
    const report = await right(records, context);
    return { ...report, stored: records.length, unchanged: 0 };
  }),
  put('keeps the stored record', 'a record that is put again replaces the stored one', (right) => {
    const known = new Set<string>();
    return async (records, context) => {
      const fresh = records.filter((record) => !('id' in record) || !known.has(record.id));
      for (const record of records) if ('id' in record) known.add(record.id);
      return right(fresh, context);
    };
  }),
  put(
    'takes a filled-in time',
    'a time that the caller filled in keeps its stored value',
    (right) =>
      (records, { signal }) =>
        right(records, { signal }),
  ),
  put('counts everything as stored', 'counts new, changed and unchanged records', (right) => async (records, context) => {
    const report = await right(records, context);
    return { ...report, stored: report.stored + report.unchanged, unchanged: 0 };
  }),
  put('resolves before it has stored', 'a record that is put is shown as soon as the call resolves', (right) => async (records, context) => {
    setTimeout(() => void right(records, context).catch(() => undefined), 1);
    return { stored: records.length, unchanged: 0, refused: [] };
  }),
  put('ignores `signal`', ENDED, (right) => ignoringSignal(right as Method) as Put),
  writing('remove ignores `signal`', ENDED, withWriter('remove', ignoringSignal)),
  writing('moveCommits ignores `signal`', ENDED, withWriter('moveCommits', ignoringSignal)),
  put('looks at `signal` only after it has stored', ENDED, (right) => async (records, context) => {
    const report = await right(records, { signal: never });
    context.signal.throwIfAborted();
    return report;
  }),
  put('rejects with an error of its own when `signal` has aborted', ENDED, (right) => async (records, context) => {
    if (context.signal.aborted) throw new TypeError('aborted');
    return right(records, context);
  }),
  writing(
    'remove counts what was asked for',
    'removes what is named, and nothing else',
    withWriter('remove', (right) => async (identities, context) => {
      await right(identities, context);
      return identities.length;
    }),
  ),
  writing(
    'remove removes nothing',
    'removes what is named, and nothing else',
    withWriter('remove', () => async (identities) => identities.length),
  ),
  writing(
    'moveCommits counts what was asked for',
    MOVES,
    withWriter('moveCommits', (right) => async (ref, changes, context) => {
      await right(ref, changes, context);
      return changes.length;
    }),
  ),
  writing(
    'moveCommits moves nothing',
    MOVES,
    withWriter('moveCommits', () => async () => 1),
  ),
  ...(['news', 'mission', 'service'] as const).map((kind) =>
    writing(`put forgets what was fixed when a ${kind} record was first stored`, FIRST_STORED, anew(kind)),
  ),
  writing('a repository without its latest release', DERIVES, withReader('repositories', 'byRefs', without('latestRelease'))),
  writing('a repository without its latest activity', DERIVES, withReader('repositories', 'byRefs', without('latestActivityAt'))),
  writing(
    'records gives repositories last',
    'all records of a store, put into another one, give an equal store',
    withCollection('records', backwards),
  ),
  writing(
    'commitBranches knows approved repositories only',
    TELLS,
    withCollection('commitBranches', (right) => (ref, context) => right(ref === 'acme/secret' ? 'acme/none' : ref, context)),
  ),
  ...SYNC_FIELDS.map((field) =>
    writing(
      `sync forgets \`${field}\``,
      TELLS,
      withCollection('sync', (right) => async (...args) => {
        const sync: object | null = await right(...args);
        return sync === null ? null : { ...sync, [field]: null };
      }),
    ),
  ),
  writing(
    'sync answers undefined for an unknown source',
    TELLS,
    withCollection(
      'sync',
      (right) =>
        async (...args) =>
          (await right(...args)) ?? undefined,
    ),
  ),
  {
    name: 'put lets the last of duplicate checks stand',
    noticedBy: 'checks: of duplicates the same one stands, in whatever order they arrive',
    breaks: (store) =>
      withWriter('put', (right) => async (records: readonly StoredRecord[], context) => {
        const checks = records.flatMap((record) => (record.kind === 'check' ? [{ ...record, source: record.provenance.source }] : []));
        await store.writer.remove(checks, context);
        return right(records, context);
      })(store),
  },
  {
    name: 'put lets the first of duplicate checks stand',
    noticedBy: 'checks: of duplicates the same one stands, in whatever order they arrive',
    breaks: (store) =>
      withWriter('put', (right) => {
        const known = new Set<string>();
        return async (records: readonly StoredRecord[], context) => {
          const fresh = records.filter((record) => record.kind !== 'check' || !known.has(record.serviceKey));
          for (const record of records) if (record.kind === 'check') known.add(record.serviceKey);
          return right(fresh, context);
        };
      })(store),
  },
  ...(['commitBranches', 'sync'] as const).flatMap((method) =>
    Object.entries(BROKEN_SIGNALS).map(([how, change]) =>
      writing(`${method} ${how}`, 'a collector’s questions end at once with their signal', withCollection(method, change)),
    ),
  ),
  writing(
    'records ignores `signal`',
    'a collector’s questions end at once with their signal',
    withCollection('records', (right) => () => right({ signal: never })),
  ),
  writing(
    'ofRepository ignores `signal`',
    'a collector’s questions end at once with their signal',
    withCollection('ofRepository', (right) => (kind, ref) => right(kind, ref, { signal: never })),
  ),
  writing(
    'ofRepository ignores `ref`',
    TELLS,
    withCollection('ofRepository', (right) => (kind, _ref, context) => right(kind, 'acme/secret', context)),
  ),
  writing(
    'ofRepository ignores `kind`',
    TELLS,
    withCollection('ofRepository', (right) => (_kind, ref, context) => right('release', ref, context)),
  ),
];
