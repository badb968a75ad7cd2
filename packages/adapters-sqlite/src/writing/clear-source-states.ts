import type { ApprovedRepositories, ChangeSet } from '@vitrine/core';
import { ROW_COLUMNS, rowOf } from '../records/decoding.js';
import { RecordBatch } from './record-batch.js';
import type { WriterTables } from './writer-tables.js';

/** Clears the state of the sources of repositories that are not approved. Must run inside a transaction. */
export function clearSourceStates(tables: WriterTables, approved: ApprovedRepositories, changed: ChangeSet): void {
  const batch = new RecordBatch(tables, changed);
  for (const row of tables.database.rows(`select ${ROW_COLUMNS} from record where kind = 'sync'`)) {
    const sync = tables.reading.decoder.record('sync', rowOf(row));
    if (sync !== null && sync.state !== null && !approved.admits(sync.repositoryRef)) batch.put({ ...sync, state: null });
  }
  batch.finish();
}
