import type { ReadContext, Service, ServiceReader } from '@vitrine/core';
import { ROW_COLUMNS, rowOf } from '../records/record-row.js';
import { byKey } from './single-record.js';
import type { SqliteReading } from './sqlite-reading.js';

export class SqliteServiceReader implements ServiceReader {
  readonly #reading: SqliteReading;

  constructor(reading: SqliteReading) {
    this.#reading = reading;
  }

  list(context: ReadContext): Promise<readonly Service[]> {
    const { database, decoder } = this.#reading;
    return this.#reading.answer(context, () =>
      database
        .rows(`select ${ROW_COLUMNS} from record where kind = 'service' order by key`)
        .flatMap((row) => decoder.record('service', rowOf(row)) ?? []),
    );
  }

  byKey(key: string, context: ReadContext): Promise<Service | null> {
    return this.#reading.answer(context, () => byKey(this.#reading, 'service', key));
  }
}
