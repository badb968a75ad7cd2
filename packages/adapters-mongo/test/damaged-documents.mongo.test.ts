import { Allowlist, keyOfIdentity, startOfDay, type PlainRecord } from '@vitrine/core';
import { aCheck, aCommit, LIST_SPECS, NOW, Random, StandingClock, type ListSpec } from '@vitrine/core/testing';
import { describeMongo, sampled } from '@vitrine/test-support';
import { BSON, Long, MongoBulkWriteError, type Collection, type Db, type Document } from 'mongodb';
import type { StoredDocument } from '../src/documents/codec.js';
import { DOCUMENTS, specOf } from '../src/documents/documents.js';
import { createMongoReaders, initStore, openMongoStore } from '../src/index.js';
import { checkItems, checkReader, checkWriter } from './support/check-store.js';
import { copyIndexes } from './support/copied-indexes.js';
import { insertDamaged } from './support/insert-bytes.js';

const approved = Allowlist.of('acme/widget').approved();
const context = { signal: new AbortController().signal };
const SPECS = sampled(LIST_SPECS, 7);
const LIMIT = 5;
const QUERY = { limit: LIMIT, after: null, from: null, to: NOW };

/** Invalid values; `undefined` removes the field. */
const BAD_VALUES: readonly (readonly [string, unknown])[] = [
  ['missing', undefined],
  ['null', null],
  ['a number', 17],
  ['text', 'nonsense'],
  ['an object', { $gt: '' }],
  ['a list', [[]]],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['a negative fraction', -1.5],
  ['a whole number beyond 2^53', Long.fromString('9007199254740993')],
  ['a date beyond all dates', new BSON.Timestamp(1n)],
  ['an invalid date', new Date(8.64e15)],
];

/** The paths of all fields, including nested ones and those of a list's first element. */
function pathsOf(value: unknown, path = ''): string[] {
  if (value === null || typeof value !== 'object' || value instanceof Date) return [path];
  const inner = Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined);
  return [...(path === '' ? [] : [path]), ...inner.flatMap(([name, field]) => pathsOf(field, path === '' ? name : `${path}.${name}`))];
}

/** A copy with another value at a path. */
function withValue<Whole extends Document>(document: Whole, path: string, value: unknown): Whole {
  const [name = '', ...rest] = path.split('.');
  const copy = (Array.isArray(document) ? [...document] : { ...document }) as Document;
  if (rest.length > 0) copy[name] = withValue(copy[name], rest.join('.'), value);
  else if (value === undefined) Reflect.deleteProperty(copy, name);
  else copy[name] = value;
  return copy as Whole;
}

describeMongo('damaged documents', (databases) => {
  let db: Db;
  let told: { kind: string; id: string; reason: string }[] = [];

  beforeAll(async () => {
    db = await databases.database();
    const names = [...new Set(['commits', ...SPECS.map(({ kind }) => specOf(kind).collection)])];
    await copyIndexes(await databases.prepared(initStore), db, names);
  });

  afterEach(() => {
    told = [];
  });

  const readers = () =>
    createMongoReaders(db, { clock: { now: () => NOW }, monitor: { quarantined: (kind, id, reason) => told.push({ kind, id, reason }) } });
  const list = (spec: ListSpec, limit: number) => spec.list(readers(), approved, { ...QUERY, limit }, {}, context);

  it.each(SPECS.map((spec) => ({ kind: spec.kind, spec })))(
    '$kind: whatever a field contains, the page is full and nothing throws',
    async ({ kind, spec }) => {
      const random = new Random(3);
      const scope = spec.scopes === 'none' ? '-' : 'acme/widget';
      const { toDocument, toRecord } = specOf(kind);
      const collection = db.collection<StoredDocument>(specOf(kind).collection);
      const made = (count: number, time: number) =>
        Array.from({ length: count }, (_, serial) => spec.make(random, scope, time - serial, time - serial));
      const good = made(2 * LIMIT, NOW - 60_000);
      const newest = made(BAD_VALUES.length, NOW - 1_000).map((record) => toDocument(record));
      const keysOf = (records: readonly PlainRecord[]) => records.map((record) => keyOfIdentity(record));
      await collection.insertMany(good.map((record) => toDocument(record)));
      let reasons = 0;
      for (const path of new Set(newest.flatMap((document) => pathsOf(document)))) {
        told = [];
        const damaged = BAD_VALUES.flatMap(([, value], index) => damagedAt(newest[index], path, value));
        await insertWhatCanBe(collection, damaged);
        expect([path, (await list(spec, LIMIT)).items.length]).toEqual([path, LIMIT]);
        const { items } = await list(spec, good.length + damaged.length);
        const shown = items.filter((record) => !keysOf(good).includes(keyOfIdentity(record)));
        expect([path, keysOf(items.filter((record) => !shown.includes(record)))]).toEqual([path, keysOf(good)]);
        // A record that is shown must be valid: encoding and decoding it gives the same record.
        expect([path, shown.map((record) => toRecord(toDocument(record)))]).toEqual([path, shown]);
        expect(told.every((one) => one.kind === kind && one.reason !== '')).toBe(true);
        reasons += told.length;
        await collection.deleteMany({ _id: { $nin: keysOf(good) } });
      }
      expect(reasons).toBeGreaterThan(50);
    },
  );

  it('skips documents with invalid UTF-8, and shows the others of their batch', async () => {
    await db.collection('commits').deleteMany({});
    const [good, bad] = [aCommit({ sha: '1'.repeat(40) }), aCommit({ sha: '2'.repeat(40), title: 'xxMARKERxx' })];
    await db.collection<StoredDocument>('commits').insertOne(DOCUMENTS.commit.toDocument(good));
    await insertDamaged(db, 'commits', DOCUMENTS.commit.toDocument(bad), 'MARKER');
    const page = await readers().commits.list(approved, { ...QUERY, branch: null, author: null, changeType: null }, context);
    expect(page.items).toEqual([good]);
    expect(told).toEqual([{ kind: 'commit', id: keyOfIdentity(bad), reason: 'not UTF-8' }]);
  });

  it('a mark with invalid UTF-8 does not keep the other marked days from being counted', async () => {
    const [own, clock, check] = [await databases.database(), new StandingClock(NOW), aCheck({ checkedAt: NOW })];
    const [serviceKey, day] = [check.serviceKey, startOfDay(NOW)];
    await checkWriter(own, clock).put(checkItems([check]), context);
    await own.collection('status_days').deleteMany({});
    const days = [{ serviceKey: 'xMARKERx', day: new Date(day) }, { serviceKey, day: new Date(day) }, null, 'x'];
    await insertDamaged(own, 'status_pending', { _id: 'days', days }, 'MARKER');
    await checkWriter(own, clock).settle(context);
    const counted = await checkReader(own, clock).days({ serviceKeys: [serviceKey], window: { from: day, to: NOW + 1 } }, context);
    expect(counted.get(serviceKey)?.map(({ counts }) => counts.operational)).toEqual([1]);
    expect(await own.collection('status_pending').countDocuments({ 'days.serviceKey': serviceKey })).toBe(0);
  });

  it('are all named by a reader of the whole store, also those whose id is no text', async () => {
    const ids = [new BSON.ObjectId(), 5, new Date(0), true, { a: 1 }, Long.fromString('9007199254740993'), new BSON.MaxKey()];
    const good = DOCUMENTS.commit.toDocument(aCommit());
    const own = await databases.database();
    await own.collection('commits').insertMany([good, ...ids.map((_id) => ({ ...good, _id }))] as Document[]);
    const { collection } = openMongoStore(own, {
      clock: { now: () => NOW },
      monitor: { quarantined: (kind, id, reason) => told.push({ kind, id, reason }) },
    });
    const found: string[] = [];
    for await (const { kind } of collection.records(context)) found.push(kind);
    expect(found).toEqual(['commit']);
    expect(told.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual(ids.map(() => 'commit _id: wrong'));
  });
});

/** Returns an empty list if the database rejects the value. */
function damagedAt(document: StoredDocument | undefined, path: string, value: unknown): StoredDocument[] {
  const isRefused = path === '_id' && (value === undefined || Array.isArray(value) || isOperator(value));
  return document === undefined || isRefused ? [] : [withValue(document, path, value)];
}

const CANNOT_INDEX_PARALLEL_ARRAYS = 171;

/** MongoDB rejects documents with two lists in the same index, so those are left out. */
async function insertWhatCanBe(collection: Collection<StoredDocument>, documents: readonly StoredDocument[]): Promise<void> {
  const errors = await collection.insertMany([...documents], { ordered: false }).then(
    () => [],
    (error: unknown) => {
      if (!(error instanceof MongoBulkWriteError)) throw error;
      return [error.writeErrors].flat();
    },
  );
  expect(errors.filter(({ code }) => code !== CANNOT_INDEX_PARALLEL_ARRAYS)).toEqual([]);
}

function isOperator(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '$gt' in value;
}
