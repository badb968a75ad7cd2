import { Allowlist, keyOfIdentity, type RecordKind } from '@vitrine/core';
import { aCommit, LIST_SPECS, NOW, Random, type ListSpec } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import { BSON, Long, MongoServerError, type Collection, type Db, type Document } from 'mongodb';
import { createMongoReaders, ensureIndexes } from '../src/index.js';
import type { StoredDocument } from '../src/documents/document-spec.js';
import { STORED_KINDS } from '../src/documents/documents.js';
import { insertDamaged } from './support/insert-bytes.js';

const approved = Allowlist.of('acme/widget').approved();
const context = { signal: new AbortController().signal };
const LIMIT = 5;
const QUERY = { limit: LIMIT, after: null, from: null, to: NOW };

/** Values that nobody should store; `undefined` takes the field away. */
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

/** Paths of all fields, also nested ones and those of a list's first element. */
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
  let told: { kind: RecordKind | 'search-block'; id: string; reason: string }[] = [];

  beforeAll(async () => {
    db = await databases.database();
    await ensureIndexes(db);
  });

  afterEach(() => {
    told = [];
  });

  const readers = () =>
    createMongoReaders(db, { clock: { now: () => NOW }, monitor: { quarantined: (kind, id, reason) => told.push({ kind, id, reason }) } });
  const firstPage = (spec: ListSpec) => spec.list(readers(), approved, QUERY, {}, context);
  const collectionOf = ({ kind }: ListSpec) => db.collection<StoredDocument>(STORED_KINDS[kind].collection);

  it.each(LIST_SPECS.map((spec) => ({ kind: spec.kind, spec })))(
    '$kind: whatever a field holds, the page is full and nothing throws',
    async ({ kind, spec }) => {
      const random = new Random(3);
      const scope = spec.scopes === 'none' ? '-' : 'acme/widget';
      const { toDocument, toRecord } = STORED_KINDS[kind].spec;
      const good = Array.from({ length: 2 * LIMIT }, (_, serial) => toDocument(spec.make(random, scope, NOW - 60_000 - serial, serial)));
      const newest = spec.make(random, scope, NOW - 1_000, 99);
      await collectionOf(spec).insertMany(good.map((document) => ({ ...document })));
      const damaged = pathsOf(toDocument(newest)).flatMap((path) =>
        BAD_VALUES.filter(([, value]) => !(path === '_id' && (value === undefined || Array.isArray(value) || isOperator(value)))).map(
          ([what, value]) => ({ path, what, document: withValue(toDocument(newest), path, value) }),
        ),
      );
      expect(damaged.length).toBeGreaterThan(50);
      const newestGood = good.map(({ _id }) => _id);
      let reasons = 0;
      for (const { path, what, document } of damaged) {
        told = [];
        // Two lists in one index cannot be stored at all.
        if (!(await isStored(collectionOf(spec), document))) continue;
        const { items } = await firstPage(spec);
        const [shown] = items.filter((record) => keyOfIdentity(record) === keyOfIdentity(newest));
        const others = items.filter((record) => record !== shown).map((record) => keyOfIdentity(record));
        expect([path, what, ...others]).toEqual([path, what, ...newestGood.slice(0, shown === undefined ? LIMIT : LIMIT - 1)]);
        // What is shown is a record in which everything is as it may be.
        if (shown !== undefined) expect([path, what, toRecord(toDocument(shown))]).toEqual([path, what, shown]);
        expect(told.every((one) => one.kind === kind && one.reason !== '')).toBe(true);
        reasons += told.length;
        await collectionOf(spec).deleteOne({ _id: document['_id'] });
      }
      expect(reasons).toBeGreaterThan(5);
    },
  );

  it('passes over documents whose text is not UTF-8, and shows the others of their batch', async () => {
    await db.collection('commits').deleteMany({});
    const [good, bad] = [aCommit({ sha: '1'.repeat(40) }), aCommit({ sha: '2'.repeat(40), title: 'xxMARKERxx' })];
    await db.collection<StoredDocument>('commits').insertOne(STORED_KINDS.commit.spec.toDocument(good));
    await insertDamaged(db, 'commits', STORED_KINDS.commit.spec.toDocument(bad), 'MARKER');
    const page = await readers().commits.list(approved, { ...QUERY, branch: null, author: null, changeType: null }, context);
    expect(page.items).toEqual([good]);
    expect(told).toEqual([{ kind: 'commit', id: keyOfIdentity(bad), reason: 'not UTF-8' }]);
  });
});

const CANNOT_INDEX_PARALLEL_ARRAYS = 171;

async function isStored(collection: Collection<StoredDocument>, document: StoredDocument): Promise<boolean> {
  try {
    await collection.insertOne(document);
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === CANNOT_INDEX_PARALLEL_ARRAYS) return false;
    throw error;
  }
}

function isOperator(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '$gt' in value;
}
