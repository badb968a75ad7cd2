import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, DAY, keyOfIdentity, startOfDay, type Commit, type Release } from '@vitrine/core';
import { aCommit, aRelease, NOW } from '@vitrine/core/testing';
import fc from 'fast-check';
import { COUNTED_SQL, sqliteActivityDays } from '../src/activity/sqlite-activity-reader.js';
import { prepareDatabase } from '../src/database/open-database.js';
import { SqliteDatabase, type SqlRow, type SqlValue } from '../src/database/sqlite-database.js';
import { StoreFiles } from '../src/folder/store-files.js';
import { SqliteStore } from '../src/open-sqlite-store.js';
import { SqliteReading } from '../src/records/reading.js';
import { startLocal } from './start-local.js';
import { bringBack } from './older-format.js';
import { openLocalStore } from './open-local-store.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const clock = { now: () => NOW };
const context = { signal: new AbortController().signal };
const approved = Allowlist.of('acme/widget', 'acme/gadget').approved();
const TODAY = startOfDay(NOW);

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitrine-activity-'));
});
afterAll(() => rm(root, { recursive: true }));

const commit = (time: number, serial: number, repositoryRef: Commit['repositoryRef'] = 'acme/widget') =>
  aCommit({ repositoryRef, committedAt: time, sha: serial.toString(16).padStart(40, '0') });
const release = (time: number, serial: number) => aRelease({ publishedAt: time, tagName: `v${String(serial)}` });

/** The stored numbers, and those that the records give. */
function storedAndCounted(database: SqliteDatabase): readonly [unknown, unknown] {
  const stored = database.rows('select kind, scope, day, count from activity where count <> 0 order by 1, 2, 3');
  return [stored, database.rows(`${COUNTED_SQL} order by 1, 2, 3`)];
}

const record = fc
  .record({
    isCommit: fc.boolean(),
    serial: fc.nat({ max: 5 }),
    time: fc.oneof(
      fc.integer({ min: TODAY - 3 * DAY, max: NOW }),
      fc.constantFrom(TODAY, TODAY - 1, TODAY + DAY, 0, -1, -64 * DAY, -64 * DAY - 1, 64 * DAY, -62_167_219_200_000, 253_402_300_799_999),
    ),
    repositoryRef: fc.constantFrom('acme/widget', 'acme/gadget'),
  })
  .map(({ isCommit, serial, time, repositoryRef }): Commit | Release =>
    isCommit ? commit(time, serial, repositoryRef) : { ...release(time, serial) },
  );

/** A call of the writer; `damaged` makes stored records unreadable before it. */
const call = fc.record({ records: fc.array(record, { maxLength: 6 }), isRemoval: fc.boolean(), isDamaged: fc.boolean() });

describe('the stored numbers of activity', () => {
  it('are those of the records after any writes, also when records are damaged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 6 }), async (calls) => {
        const files = await StoreFiles.open(null);
        const store = new SqliteStore(files, { clock, path: null }, startLocal);
        for (const { records, isRemoval, isDamaged } of calls) {
          for (const one of isDamaged ? records : [])
            files.database.run(`update record set json = '{' where kind = ? and key = ?`, one.kind, keyOfIdentity(one));
          await (isRemoval ? store.writer.remove(records, context) : store.writer.put(records, context));
          const [stored, counted] = storedAndCounted(files.database);
          expect(stored).toEqual(counted);
        }
        await store.close();
      }),
      { numRuns: torture ? 1_000 : 3 },
    );
  }, 600_000);

  it('are counted when a file of an older format is opened', async () => {
    const folder = join(root, 'format-2');
    const days = [0, 1, 1, 5, 70, 200, 20_000];
    const store = await openLocalStore({ clock, path: folder });
    await store.writer.put([...days.map((day, index) => commit(TODAY - day * DAY, index)), release(TODAY - DAY, 1)], context);
    const query = { from: TODAY - 30_000 * DAY, to: TODAY + DAY - 1 };
    const before = await store.readers.activity.days(approved, query, context);
    expect(before.reduce((sum, { commits }) => sum + commits, 0)).toBe(days.length);
    await store.close();
    const database = new SqliteDatabase(join(folder, 'vitrine.db'));
    bringBack(database, 2);
    database.close();
    const migrated = await openLocalStore({ clock, path: folder });
    expect(await migrated.readers.activity.days(approved, query, context)).toEqual(before);
    await migrated.writer.remove([commit(TODAY, 0)], context);
    expect(await migrated.readers.activity.days(approved, { from: TODAY, to: query.to }, context)).toEqual([]);
    await migrated.close();
  });

  it('are not changed by a batch that fails', async () => {
    const files = await StoreFiles.open(null);
    const store = new SqliteStore(files, { clock, path: null }, startLocal);
    await store.writer.put([commit(TODAY, 1)], context);
    files.database.exec(`create trigger refuse before insert on record when new.key like '%@0000000000000000000000000000000000000003%'
      begin select raise(abort, 'refused'); end`);
    await expect(store.writer.put([commit(TODAY, 2), commit(TODAY, 3)], context)).rejects.toThrow();
    files.database.exec('drop trigger refuse');
    await store.writer.put([commit(TODAY, 4)], context);
    const [stored, counted] = storedAndCounted(files.database);
    expect(stored).toEqual(counted);
    expect(await store.readers.activity.days(approved, { from: TODAY, to: NOW }, context)).toEqual([{ day: TODAY, commits: 2, releases: 0 }]);
    await store.close();
  });
});

/** A connection that remembers the plans of its statements. */
class WatchedDatabase extends SqliteDatabase {
  readonly plans: string[] = [];

  override rows(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[] {
    if (sql.startsWith('select')) this.plans.push(...super.rows(`explain query plan ${sql}`, ...values).map((row) => String(row[3])));
    return super.rows(sql, ...values);
  }
}

it('is read without scans, for any number of repositories', async () => {
  const file = join(root, 'plans.db');
  const unwatched = new SqliteDatabase(file);
  prepareDatabase(unwatched);
  unwatched.close();
  const database = new WatchedDatabase(file);
  const many = Allowlist.of(...Array.from({ length: 300 }, (_, index) => `acme/r${String(index)}`)).approved();
  for (const ref of many.refs) database.run('insert into scope (ref) values (?)', ref);
  const daysOf = sqliteActivityDays(new SqliteReading(database, clock, null));
  await daysOf(many, { from: TODAY - 365 * DAY, to: NOW }, context);
  // The numbers of the repositories are read from the beginning to the end.
  expect(database.plans.filter((step) => /^SCAN (?!s VIRTUAL TABLE)/.test(step))).toEqual([]);
  expect(database.plans.filter((step) => step.startsWith('SEARCH a USING PRIMARY KEY'))).toHaveLength(2);
  database.close();
});
