import { CONFIGURATION_PREFIX, type ConfigurationReader, type ReadContext, type Sync } from '@vitrine/core';
import { ROW_COLUMNS, rowOf } from '../records/record-row.js';
import type { SqliteReading } from './sqlite-reading.js';

const CONFIGURATIONS_SQL = `select ${ROW_COLUMNS} from record indexed by record_key where kind = 'sync' and key >= ? and key < ? order by key`;

export class SqliteConfigurationReader implements ConfigurationReader {
  readonly #reading: SqliteReading;

  constructor(reading: SqliteReading) {
    this.#reading = reading;
  }

  list(context: ReadContext): Promise<readonly Sync[]> {
    const { database, decoder } = this.#reading;
    return this.#reading.answer(context, () => {
      const rows = database.rows(CONFIGURATIONS_SQL, CONFIGURATION_PREFIX, afterPrefix(CONFIGURATION_PREFIX));
      return rows.flatMap((row) => decoder.record('sync', rowOf(row)) ?? []);
    });
  }
}

/** The first text after all that begin with this ASCII text. */
function afterPrefix(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
