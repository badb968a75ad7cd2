import type { AnyFields } from '../../kinds/fields.js';
import type { StoredRecord } from '../../kinds/identity.js';
import { type Instant, MINUTE } from '../../kinds/instant.js';
import { byKind } from '../../kinds/kinds.js';
import type { ReadContext } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { Allowlist } from '../../rules/allowlist.js';
import { NOW, aCommit, aFinding, aRelease, aRepositoryRecord } from '../builders.js';
import { assert, assertSame, messageOf } from '../contract.js';
import { LIST_SPECS } from '../list-specs.js';
import { aCheck, aService } from '../status-builders.js';
import { assertEndsOnAbort } from './aborted-calls.js';
import type { StorePromise } from './check-promises.js';

/** The promises of writing that `writing.ts` does not cover. */
export const WRITING_PROMISES: readonly StorePromise[] = [
  { name: 'a record that is put again replaces the stored one', run: replaces },
  { name: 'a time that the caller filled in keeps its stored value', run: keepsTimes },
  { name: 'counts new, changed and unchanged records', run: counts },
  { name: 'a record that is put is shown as soon as the call resolves', run: shownAtOnce },
  { name: 'the largest numbers that a record may have are stored and read', run: keepsLargestNumbers },
  { name: 'rejects when its signal has aborted', run: rejectsWhenAborted },
  { name: 'a collector’s questions end at once with their signal', run: questionsEndOnAbort },
];

const approved = Allowlist.of('acme/widget').approved();

async function replaces({ writer, readers }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([aFinding({ status: 'EXPERIMENTAL' })], context);
  const changed = aFinding({ status: 'CONFIRMED', detectedAt: NOW - 1, title: 'Changed' });
  await writer.put([changed], context);
  assertSame(await readers.findings.byId(approved, changed.id, context), changed, 'the record by id');
  const list = async (status: string | null): Promise<unknown> =>
    (await readers.findings.list(approved, { limit: 5, after: null, from: null, to: NOW, status, changeType: null }, context)).items;
  assertSame([await list(null), await list('CONFIRMED'), await list('EXPERIMENTAL')], [[changed], [changed], []], 'the lists');
}

const TIMED = ['repository', 'service', ...LIST_SPECS.map(({ kind }) => kind)];

/** Every time of these records that an import may fill in. */
function observedAt(at: Instant): readonly StoredRecord[] {
  const provenance = { ...aCommit().provenance, observedAt: at };
  const listed = LIST_SPECS.map(({ example, importTimes }) => ({
    ...example({ provenance }),
    ...Object.fromEntries(importTimes.map((name) => [name, at])),
  }));
  return [aRepositoryRecord({ provenance, lastSyncedAt: at }), ...listed, aService({ provenance, firstSeenAt: at })];
}

async function keepsTimes({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  const [first, later] = [NOW - 2 * MINUTE, NOW - MINUTE];
  await writer.put(observedAt(first), { ...context, filledAt: first });
  const again = await writer.put(observedAt(later), { ...context, filledAt: later });
  assertSame(again, { stored: 0, unchanged: TIMED.length, refused: [] }, 'the same records, with the time of the second import');
  const known = await writer.put(observedAt(later), { ...context, filledAt: NOW });
  assertSame(known.stored, TIMED.length, 'the same records with a time that was not filled in');
  const times = new Map<string, Instant>();
  for await (const record of collection.records(context)) if ('provenance' in record) times.set(record.kind, record.provenance.observedAt);
  assertSame([...times].sort(), TIMED.map((kind) => [kind, later]).sort(), 'observedAt');
}

async function counts({ writer }: RecordStore, context: ReadContext): Promise<void> {
  assertSame(await writer.put([], context), { stored: 0, unchanged: 0, refused: [] }, 'no records');
  await writer.put([aFinding({ id: 'same' }), aFinding({ id: 'changed' })], context);
  const report = await writer.put([aFinding({ id: 'same' }), aFinding({ id: 'changed', title: 'Changed' }), aFinding({ id: 'new' })], context);
  assertSame(report, { stored: 2, unchanged: 1, refused: [] }, 'one unchanged, one changed and one new record');
}

async function shownAtOnce({ writer, readers }: RecordStore, context: ReadContext): Promise<void> {
  for (let index = 0; index < 10; index++) {
    const id = `f${String(index)}`;
    await writer.put([aFinding({ id })], context);
    assertSame((await readers.findings.byId(approved, id, context))?.id, id, 'the record that was put last');
    await writer.remove([aFinding({ id })], context);
    assertSame(await readers.findings.byId(approved, id, context), null, 'the record that was removed last');
  }
}

async function keepsLargestNumbers({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  const records = LIST_SPECS.map(({ kind, example }) => withLargest(example(), FIELDS[kind]));
  assertSame((await writer.put(records, context)).refused, [], 'the refused records');
  const read = new Map<string, unknown>();
  for await (const record of collection.records(context)) read.set(record.kind, record);
  for (const record of records) assertSame(read.get(record.kind), record, `the ${record.kind} with the largest numbers`);
}

const FIELDS: Readonly<Record<string, AnyFields>> = byKind(({ fields }) => fields);

/** The same with the largest number in each of these fields that holds a count or a length. */
function withLargest<Value extends object>(value: Value, fields: AnyFields = {}): Value {
  const changed = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const inner: unknown = Reflect.get(value, name);
    if (field.type === 'whole') return [[name, field.most]];
    if (field.type === 'seconds') return [[name, Number.MAX_SAFE_INTEGER]];
    return field.type === 'object' && typeof inner === 'object' && inner !== null ? [[name, withLargest(inner, field.fields)]] : [];
  });
  return { ...value, ...Object.fromEntries(changed) };
}

/** A write that has started may continue, because its caller cannot know how much is stored. A write that has not started must not start. */
async function rejectsWhenAborted({ writer, readers }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([aCommit()], context);
  const controller = new AbortController();
  const reason = new Error('The test ended this call.');
  controller.abort(reason);
  const ended = { signal: controller.signal };
  await assertRejects('put', writer.put([aFinding(), aCheck()], ended), reason);
  await assertRejects('remove', writer.remove([aCommit()], ended), reason);
  await assertRejects('moveCommits', writer.moveCommits('acme/widget', [{ sha: aCommit().sha, branch: 'next' }], ended), reason);
  assertSame(await readers.findings.byId(approved, aFinding().id, context), null, 'the record of the call that was ended');
  assertSame(await readers.commits.bySha(approved, aCommit().sha, context), [aCommit()], 'the commit that was to be removed and moved');
}

async function assertRejects(what: string, call: Promise<unknown>, reason: Error): Promise<void> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const wanted = `${what}, called with a signal that has aborted: expected it to reject`;
  assert(error !== null, `${wanted}, found that it resolved`);
  const isUnavailable = error instanceof Error && error.name === 'UnavailableError';
  assert(error === reason || isUnavailable, `${wanted} with the signal's reason or an UnavailableError, found "${messageOf(error)}"`);
}

async function questionsEndOnAbort({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([aCommit()], context);
  await assertEndsOnAbort('commitBranches', (ended) => collection.commitBranches('acme/widget', ended));
  await writer.put([aRelease()], context);
  await assertEndsOnAbort('ofRepository', async (ended) => {
    for await (const { tagName } of collection.ofRepository('release', 'acme/widget', ended))
      assert(tagName === aRelease().tagName, 'expected the one release');
  });
  await assertEndsOnAbort('sync', (ended) => collection.sync('git acme/widget', ended));
  // All others are read in the same way.
  await assertEndsOnAbort('the first of the records', (ended) => collection.records(ended)[Symbol.asyncIterator]().next());
}
