import { NO_REPOSITORY, type ApprovedRepositories, type ReadContext, type SyncReader, type SyncTimes } from '@vitrine/core';
import { ROW_COLUMNS, rowOf } from '../records/record-row.js';
import type { SqliteReading } from './sqlite-reading.js';

const SYNCS_SQL = `select ${ROW_COLUMNS} from record indexed by record_key where kind = 'sync' and scope in (select value from json_each(?)) order by key`;

export class SqliteSyncReader implements SyncReader {
  readonly #reading: SqliteReading;

  constructor(reading: SqliteReading) {
    this.#reading = reading;
  }

  list(approved: ApprovedRepositories | null, context: ReadContext): Promise<readonly SyncTimes[]> {
    const { database, decoder, scopes } = this.#reading;
    return this.#reading.answer(context, () => {
      const ids = scopes.ofAll([...(approved?.refs ?? []), NO_REPOSITORY]);
      return database.rows(SYNCS_SQL, JSON.stringify(ids)).flatMap((row) => decoder.record('sync', rowOf(row)) ?? []);
    });
  }
}
