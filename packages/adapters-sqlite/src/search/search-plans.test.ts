import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, SEARCH_TYPES, searchWordsOf, type Finding, type Incident, type SearchQuery } from '@vitrine/core';
import { aFinding, anIncident, NOW } from '@vitrine/core/testing';
import { prepareDatabase } from '../database/open-database.js';
import { SqliteDatabase, type SqlRow, type SqlValue } from '../database/sqlite-database.js';
import { ScopeIds, SqliteReading } from '../records/reading.js';
import { RecordTable } from '../writing/record-table.js';
import { SearchWriter } from './search-writer.js';
import { sqliteSearch } from './sqlite-search-reader.js';

/** A connection that remembers what it was asked. */
class WatchedDatabase extends SqliteDatabase {
  readonly plans: string[][] = [];
  reads = 0;
  /** Entries that match before anything else is asked of them. */
  matched = 0;

  override rows(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[] {
    this.plans.push(super.rows(`explain query plan ${sql}`, ...values).map((row) => String(row[3])));
    this.reads++;
    if (sql.includes('search_words match'))
      this.matched += super.rows(
        'select 1 from search_words where search_words match ?1 and rowid >= ?2 and rowid < ?3',
        ...values.slice(0, 3),
      ).length;
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
  const search = sqliteSearch(new SqliteReading(database, { now: () => NOW }, null));

  function write(written: readonly (Finding | Incident)[]): void {
    const [records, search] = [new RecordTable(database, new ScopeIds(database)), new SearchWriter(database)];
    database.transaction(() => {
      for (const record of written) search.replaced({ id: records.put(null, { record, statements: [] }), before: null, after: record });
      search.finish();
    });
  }

  beforeAll(() => {
    write(
      Array.from({ length: COUNT }, (_, serial) =>
        aFinding({ id: `f${String(serial)}`, title: 'zebra', summary: 'horse', detectedAt: NOW - serial * 1_000 }),
      ),
    );
  });

  afterAll(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  async function plansOf(
    q: string,
    over: Partial<SearchQuery> = {},
  ): Promise<{ readonly plans: readonly string[][]; readonly reads: number; readonly matched: number }> {
    [database.plans.length, database.reads, database.matched] = [0, 0, 0];
    const query = { words: searchWordsOf(q) ?? { whole: [], prefix: null }, types: SEARCH_TYPES, limit: 20, after: null, to: NOW, ...over };
    await search(approved, query, context);
    return { plans: [...database.plans], reads: database.reads, matched: database.matched };
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

  it('read nothing of the future but planned maintenance', async () => {
    const findings = Array.from({ length: COUNT }, (_, serial) =>
      aFinding({ id: `later${String(serial)}`, title: 'giraffe', detectedAt: NOW + (serial + 1) * 1_000 }),
    );
    write([...findings, anIncident({ title: 'giraffe', incidentKind: 'maintenance', startedAt: NOW + 1_000_000 })]);
    const { matched } = await plansOf('giraffe');
    expect(matched).toBe(1);
  });

  it('are few, whatever the page', async () => {
    expect((await plansOf('zebra')).reads).toBeLessThanOrEqual(2);
    expect((await plansOf('horse')).reads).toBeLessThanOrEqual(4);
    expect((await plansOf('nothing')).reads).toBeLessThanOrEqual(4);
  });
});
