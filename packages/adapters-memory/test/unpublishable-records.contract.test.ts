import { positionOf, type ListedKind, type ListedRecord } from '@vitrine/core';
import { LIST_SPECS, singleRecordContract, timeListContract, type KindStore } from '@vitrine/core/testing';
import { openMemoryStore } from '../src/index.js';
import { withEveryReader } from './broken/broken-store.js';

const kinds = LIST_SPECS.map(({ kind }) => kind);
const context = { signal: new AbortController().signal };
const keyOf = (record: ListedRecord) => JSON.stringify([record.kind, positionOf(record)]);
const isRecord = (value: unknown): value is ListedRecord => typeof value === 'object' && value !== null && 'kind' in value;

/** Without email addresses, so that the writer accepts the record. */
function cleaned(record: ListedRecord): ListedRecord {
  return JSON.parse(JSON.stringify(record).replaceAll('ada@example.org', 'ada')) as ListedRecord;
}

/** A store whose readers return some records as they were filled in, as the readers of a database do that never call `publishableRecord`. */
async function openRaw(leaks: (record: ListedRecord) => boolean): Promise<KindStore<ListedKind>> {
  const store = await openMemoryStore({ clock: { now: () => 0 } });
  const filled = new Map<string, ListedRecord>();
  const raw = (value: unknown): unknown => (isRecord(value) ? (filled.get(keyOf(value)) ?? value) : value);
  const { readers } = withEveryReader(store, (_method, right) => async (...args) => {
    const found: unknown = await right(...args);
    if (Array.isArray(found)) return found.map(raw);
    return typeof found === 'object' && found !== null && 'items' in found ? { ...found, items: (found.items as unknown[]).map(raw) } : raw(found);
  });
  const fill = (records: readonly ListedRecord[]) => {
    for (const record of records) if (leaks(record)) filled.set(keyOf(record), record);
    return store.writer.put(
      records.map((record) => (leaks(record) ? cleaned(record) : record)),
      context,
    );
  };
  return { readers, fill, close: () => store.close() };
}

const EMAIL_CASE = /no e-mail address is published/;
const casesOf = (leaks: (record: ListedRecord) => boolean) => {
  const options = { kinds, open: () => openRaw(leaks) };
  return [...timeListContract(options), ...singleRecordContract(options)].filter(({ name }) => EMAIL_CASE.test(name));
};

describe('readers of records with email addresses', () => {
  it.each(casesOf(() => false))('$name', ({ run }) => run());

  it.each([
    ['in their texts', (record: ListedRecord) => record.provenance.source.includes('@')],
    ['in their addresses', (record: ListedRecord) => record.provenance.sourceUrl?.includes('@') === true],
  ])('fail the cases of every kind if they publish those %s', async (_where, leaks) => {
    const cases = casesOf(leaks);
    const passed = await Promise.all(
      cases.map(({ name, run }) =>
        run().then(
          () => [name],
          (error: unknown) => (/publishableRecord|may be published/.test(String(error)) ? [] : [String(error)]),
        ),
      ),
    );
    expect(passed.flat()).toEqual([]);
    // Every kind has a list, and every kind but builds can be read alone.
    expect(cases).toHaveLength(2 * kinds.length - 1);
  });
});
