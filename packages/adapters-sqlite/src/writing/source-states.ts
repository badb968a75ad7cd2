import type { ApprovedRepositories, StoreChange } from '@vitrine/core';
import { ROW_COLUMNS, rowOf } from '../records/record-row.js';
import { RecordBatch } from './record-batch.js';
import type { WriterTables } from './writer-tables.js';

/** Clears the state of the sources of repositories that are not approved. Returns what has changed. Must run inside a transaction. */
export function withoutSourceStates(tables: WriterTables, approved: ApprovedRepositories): readonly StoreChange[] {
  const batch = new RecordBatch(tables);
  for (const row of tables.database.rows(`select ${ROW_COLUMNS} from record where kind = 'sync'`)) {
    const sync = tables.reading.decoder.record('sync', rowOf(row));
    if (sync !== null && sync.state !== null && !approved.admits(sync.repositoryRef)) batch.put({ ...sync, state: null });
  }
  return batch.finish();
}
