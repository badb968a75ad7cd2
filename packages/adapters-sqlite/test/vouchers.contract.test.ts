import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StatedRecord } from '@vitrine/core';
import { aCommit, aRelease, NOW, someNews } from '@vitrine/core/testing';
import { openDatabase } from '../src/database/open-database.js';
import { SqliteDatabase, type SqlRow, type SqlValue } from '../src/database/sqlite-database.js';
import type { OpenSqliteStore } from '../src/index.js';
import { SqliteReading } from '../src/records/reading.js';
import { RecordTable } from '../src/writing/record-table.js';
import { bringBack } from './older-format.js';
import { openLocalStore } from './open-local-store.js';

const clock = { now: () => NOW };
const context = { signal: new AbortController().signal };
const [GIT, GITHUB] = ['git:acme/widget', 'github:acme/widget'];
const TAG = aRelease({ body: 'tag message' });
const NOTES = aRelease({ body: 'Notes', platform: 'linux' });

class PlannedDatabase extends SqliteDatabase {
  readonly plans: string[] = [];

  override rows(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[] {
    this.plans.push(...super.rows(`explain query plan ${sql}`, ...values).map((row) => String(row[3])));
    return super.rows(sql, ...values);
  }
}

describe('the sources of records in a SQLite store', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-vouchers-'));
    file = join(folder, 'vitrine.db');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const using = async <Result>(use: (store: OpenSqliteStore) => Promise<Result>): Promise<Result> => {
    const store = await openLocalStore({ clock, path: folder });
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
  const change = (sql: string): void => {
    const database = openDatabase(file, false, 100);
    database.exec(sql);
    database.close();
  };
  const statements = async ({ collection }: OpenSqliteStore): Promise<StatedRecord[]> => {
    const all: StatedRecord[] = [];
    for await (const statement of collection.statements(context)) all.push(statement);
    return all;
  };

  it('are none in a file of the format before, and the first source takes the records over', async () => {
    await using(() => Promise.resolve());
    const database = new SqliteDatabase(file);
    bringBack(database, 1);
    const { kind, repositoryRef } = TAG;
    database.run('insert into scope (ref) values (?)', repositoryRef);
    const values = [kind, 'acme/widget@v2.1.0 224b0d0c656cc54e', TAG.publishedAt, JSON.stringify(TAG)];
    database.run('insert into record (kind, key, scope, time, json) values (?, ?, 1, ?, ?)', ...values);
    database.close();
    await using(async (store) => {
      expect(await statements(store)).toEqual([{ record: TAG, source: null }]);
      await store.writer.put([TAG], { ...context, source: GIT });
      expect(await statements(store)).toEqual([{ record: TAG, source: GIT }]);
    });
    await using(async (store) => {
      expect(await statements(store)).toEqual([{ record: TAG, source: GIT }]);
    });
  });

  it('are stored as one number if there is one, and in rows of their own if there are several', async () => {
    const contents = (database: SqliteDatabase) => [
      database.rows('select source from record order by id').flat(),
      database.rows('select source, says from statement order by source').map(([source, says]) => [source, JSON.parse(String(says))]),
    ];
    const database = await using(async (store) => {
      await store.writer.put([TAG, aCommit()], { ...context, source: GIT });
      const reading = openDatabase(file, false, 100);
      expect(contents(reading)).toEqual([[1, 1], []]);
      await store.writer.put([NOTES], { ...context, source: GITHUB });
      return reading;
    });
    const said = [
      [1, { body: 'tag message', platform: null }],
      [2, {}],
    ];
    expect(contents(database)).toEqual([[0, 1], said]);
    await using((store) => store.writer.remove([TAG], { ...context, source: GIT }));
    expect(contents(database)).toEqual([[2, 1], []]);
    database.close();
  });

  it('agree with the record if a statement cannot be read', async () => {
    await using(async ({ writer }) => {
      await writer.put([TAG], { ...context, source: GIT });
      await writer.put([NOTES], { ...context, source: GITHUB });
    });
    change("update statement set says = '{'");
    await using(async (store) => {
      expect(await statements(store)).toEqual([GIT, GITHUB].map((source) => ({ record: NOTES, source })));
      await store.writer.put([TAG], { ...context, source: GIT });
      expect(await statements(store)).toEqual([
        { record: TAG, source: GIT },
        { record: NOTES, source: GITHUB },
      ]);
    });
  });

  it('are withdrawn from a record that cannot be read, which is removed', async () => {
    await using((store) => store.writer.put([TAG, aCommit()], { ...context, source: GIT }));
    change("update record set json = '{'");
    await using(async (store) => {
      expect(await store.writer.withdraw(GIT, context)).toBe(2);
    });
  });

  it('are withdrawn completely by the call after one that was interrupted', async () => {
    const many = Array.from({ length: 1_100 }, (_, index) => someNews({ id: `n${String(index)}` }));
    await using(async (store) => {
      await store.writer.put(many, { ...context, source: GIT });
      const ending = new AbortController();
      const { position } = await store.changeFeed.changesSince(null, { limit: 1, waitMs: 0 }, context);
      void store.changeFeed.changesSince(position, { limit: 1, waitMs: 60_000 }, context).then(() => {
        ending.abort();
      });
      await expect(store.writer.withdraw(GIT, ending)).rejects.toThrow();
    });
    await using(async (store) => {
      const left = (await statements(store)).length;
      expect([left > 0, left < many.length]).toEqual([true, true]);
      expect(await store.writer.withdraw(GIT, context)).toBe(left);
      expect(await statements(store)).toEqual([]);
    });
  });

  it('lead to their records by an index', async () => {
    await using(async ({ writer }) => {
      await writer.put([TAG, aCommit()], { ...context, source: GIT });
      await writer.put([NOTES], { ...context, source: GITHUB });
    });
    const database = new PlannedDatabase(file);
    const records = new RecordTable(database, new SqliteReading(database, clock, null).scopes);
    const kinds = (source: string) => records.vouchedBy(source, 10).map(({ stored }) => stored?.record.kind);
    expect([kinds(GIT), kinds(GITHUB)]).toEqual([['commit'], ['release']]);
    expect(database.plans.join('\n')).toMatch(/USING INDEX record_source[^]*statement_source/);
    expect(database.plans.filter((step) => step.startsWith('SCAN'))).toEqual([]);
    database.close();
  });
});
