import type { ScopeRef } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { EntryTable } from './entry-table.js';
import { RecordScan } from './align-search.js';
import { RepositoryNames } from './repository-names.js';
import { SearchScope } from './search-scope.js';

const STEP = 1_000;

/** Adds the entries of kinds that earlier formats did not search. */
export function addMissingEntries(database: SqliteDatabase): void {
  const [entries, scan, included] = [new EntryTable(database), new RecordScan(database), new SearchScope(database)];
  const names = new RepositoryNames(database);
  for (const [scope, ref] of database.rows('select id, ref from scope')) {
    if (!included.includes(String(ref) as ScopeRef)) continue;
    for (let last: number | null = 0; last !== null;) {
      const scanned = scan.after(Number(scope), last, 'missing', STEP);
      for (const { id, record } of scanned.records) entries.add(id, record, names);
      entries.finish();
      last = scanned.last;
    }
  }
}
