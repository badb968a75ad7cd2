import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, SEARCH_TYPES, searchWordsOf, type SearchQuery } from '@vitrine/core';
import { aFinding, NOW } from '@vitrine/core/testing';
import { ActivityWriter } from '../activity/activity-counts.js';
import { prepareDatabase } from '../database/open-database.js';
import { SqliteDatabase, type SqlRow, type SqlValue } from '../database/sqlite-database.js';
import { ScopeIds, SqliteReading } from '../readers/sqlite-reading.js';
import { RecordTable } from '../writing/record-table.js';
import { SearchWriter } from './search-writer.js';
import { SqliteSearchReader } from './sqlite-search-reader.js';

/** A connection that remembers what it was asked. */
class WatchedDatabase extends SqliteDatabase {
  readonly plans: string[][] = [];
  reads = 0;

  override rows(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[] {
    this.plans.push(super.rows(`explain query plan ${sql}`, ...values).map((row) => String(row[3])));
    this.reads++;
    return super.rows(sql, ...values);
  }
}

const COUNT = 400;
const context = { signal: new AbortController().signal };
const approved = Allowlist.of('acme/widget').approved();

describe('the statements of a search', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-plans-'));
  const file = join(folder, 'vitrine.db');
  const unwatched = new SqliteDatabase(file);
  prepareDatabase(unwatched);
  unwatched.close();
  const database = new WatchedDatabase(file);
  const reader = new SqliteSearchReader(new SqliteReading(database, { now: () => NOW }, null));

  beforeAll(() => {
    const [records, search] = [new RecordTable(database, new ScopeIds(database), new ActivityWriter(database)), new SearchWriter(database)];
    database.transaction(() => {
      for (let serial = 0; serial < COUNT; serial++) {
        const record = aFinding({ id: `f${String(serial)}`, title: 'zebra', summary: 'horse', detectedAt: NOW - serial * 1_000 });
        search.replaced({ id: records.insert({ record, statements: [] }), before: null, after: record });
      }
      search.finish();
    });
  });

  afterAll(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  async function plansOf(q: string, over: Partial<SearchQuery> = {}): Promise<{ readonly plans: readonly string[][]; readonly reads: number }> {
    [database.plans.length, database.reads] = [0, 0];
    const query = { words: searchWordsOf(q) ?? { whole: [], prefix: null }, types: SEARCH_TYPES, limit: 20, after: null, to: NOW, ...over };
    await reader.search(approved, query, context);
    return { plans: [...database.plans], reads: database.reads };
  }

  it('walk along the index of words from the first place of the page, and sort nothing', async () => {
    const { plans } = await plansOf('zebra');
    for (const plan of plans) {
      expect(plan[0]).toMatch(/^SCAN search_words VIRTUAL TABLE INDEX \d+:M1><$/u);
      expect(plan.filter((step) => /TEMP B-TREE|^SCAN (?!search_words|json_each)/u.test(step))).toEqual([]);
    }
    expect(plans.length).toBeGreaterThan(0);
  });

  it('sort only the entries of the second in which a page starts', async () => {
    const after = { tier: 0, time: NOW - 100_000, type: 'finding', id: 'f100' } as const;
    const { plans } = await plansOf('zebra', { after });
    const sorting = plans.filter((plan) => plan.some((step) => step.includes('TEMP B-TREE')));
    expect([plans.length, sorting.length]).toEqual([2, 1]);
  });

  it('are few, whatever the page', async () => {
    expect((await plansOf('zebra')).reads).toBeLessThanOrEqual(2);
    expect((await plansOf('horse')).reads).toBeLessThanOrEqual(4);
    expect((await plansOf('nothing')).reads).toBeLessThanOrEqual(4);
  });
});
