import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, recordReaders, type RepositoryRef, type StoreReaders } from '@vitrine/core';
import { LIST_SPECS, NOW } from '@vitrine/core/testing';
import { prepareDatabase } from '../database/open-database.js';
import { SqliteDatabase, type SqlRow, type SqlValue } from '../database/sqlite-database.js';
import { recordTables, sqliteRepositoryReader } from '../readers/record-readers.js';
import { SqliteReading } from '../records/reading.js';

/** A connection that remembers what it was asked. */
class WatchedDatabase extends SqliteDatabase {
  readonly plans: string[][] = [];

  override rows(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[] {
    this.plans.push(super.rows(`explain query plan ${sql}`, ...values).map((row) => String(row[3])));
    return super.rows(sql, ...values);
  }

  override row(sql: string, ...values: readonly SqlValue[]): SqlRow | null {
    if (sql.startsWith('select')) this.plans.push(super.rows(`explain query plan ${sql}`, ...values).map((row) => String(row[3])));
    return super.row(sql, ...values);
  }
}

const context = { signal: new AbortController().signal };
const refs = Array.from({ length: 300 }, (_, index): RepositoryRef => `acme/r${String(index).padStart(3, '0')}`);
const query = { limit: 20, after: null, from: null, to: NOW };
const after = { time: NOW - 1_000, id: 'x' };
/** The number of repositories, few or many, and the position. A torture run takes those between, each at both positions. */
const PLACES =
  process.env['VITRINE_TORTURE'] === '1'
    ? [1, 2, 50, 200, 300].flatMap((count) => [null, after].map((position) => ({ count, position })))
    : [
        { count: 1, position: after },
        { count: 300, position: null },
      ];

const folder = mkdtempSync(join(tmpdir(), 'vitrine-plans-'));
prepared(join(folder, 'vitrine.db'));
const database = new WatchedDatabase(join(folder, 'vitrine.db'));
const reading = new SqliteReading(database, { now: () => NOW }, null);
const own = recordReaders(recordTables(reading));
const readers: Partial<StoreReaders> = own;

beforeAll(() => {
  for (const ref of ['-', ...refs]) database.run('insert into scope (ref) values (?)', ref);
});

afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function prepared(file: string): void {
  const unwatched = new SqliteDatabase(file);
  prepareDatabase(unwatched);
  unwatched.close();
}

/** The steps of the plans that read more than what is asked for, or sort. */
async function badSteps(read: () => Promise<unknown>): Promise<readonly string[]> {
  database.plans.length = 0;
  await read();
  expect(database.plans.length).toBeGreaterThan(0);
  // The merged page, and the numbers of repositories, are read from the beginning to the end. A range of times of a kind holds hidden records, too.
  const bad = /TEMP B-TREE|^SCAN (?!p$|json_each)|\(kind=\? AND time/;
  // The first place of each of many repositories is sorted.
  const chooses = (plan: readonly string[]) =>
    plan.some((step) => step.startsWith('CORRELATED SCALAR SUBQUERY')) && plan.some((step) => step.startsWith('SCAN s '));
  return database.plans.flatMap((plan) => plan.filter((step) => bad.test(step) && !(chooses(plan) && /^SCAN [ns] VIRTUAL|FOR ORDER BY$/.test(step))));
}

const allowed = (count: number) => Allowlist.of(...refs.slice(0, count)).approved();

describe('the plan of a list', () => {
  it.each(LIST_SPECS.map((spec) => [spec.kind, spec] as const))(
    'of each %s uses an index and never sorts, with any filter, at any position, for any number of repositories',
    async (_kind, spec) => {
      const names = Object.keys(spec.filters);
      const chosen = [{}, ...names.map((name) => ({ [name]: 'x' })), Object.fromEntries(names.map((name) => [name, 'x']))];
      for (const { count, position } of PLACES)
        for (const filters of chosen)
          expect(await badSteps(() => spec.list(readers, allowed(count), { ...query, after: position }, filters, context))).toEqual([]);
    },
  );

  it('of unresolved incidents uses an index', async () => {
    expect(await badSteps(() => own.incidents.unresolved(NOW, context))).toEqual([]);
  });
});

describe('a page with more values of a filter than one statement merges', () => {
  it('has the records of all of them', async () => {
    const values = Array.from({ length: 200 }, (_, index) => `Author ${String(index)}`);
    const page = await own.commits.list(allowed(2), { ...query, author: values, branch: null, changeType: null }, context);
    expect(page).toEqual({ items: [], next: null });
  });
});

describe('the plan of a single record', () => {
  it.each([1, 300])('uses an index with %i repositories', async (count) => {
    const repositories = sqliteRepositoryReader(reading);
    expect(await badSteps(() => own.findings.byId(allowed(count), 'fnd_1', context))).toEqual([]);
    expect(await badSteps(() => own.commits.bySha(allowed(count), 'abcdef1', context))).toEqual([]);
    expect(await badSteps(() => repositories.list(allowed(count), { limit: 20, after: null }, context))).toEqual([]);
    expect(await badSteps(() => repositories.byRefs(allowed(count), refs, context))).toEqual([]);
    expect(await badSteps(() => own.syncs.list(allowed(count), context))).toEqual([]);
    expect(await badSteps(() => own.configurations.list(context))).toEqual([]);
  });
});
