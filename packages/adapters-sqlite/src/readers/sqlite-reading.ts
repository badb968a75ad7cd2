import type { Clock, ReadContext } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { readFrom } from '../database/sqlite-error.js';
import { RowDecoder, type QuarantineMonitor } from '../records/record-row.js';
import { ScopeIds } from '../records/scope-ids.js';

/** What all readers of one connection share. */
export class SqliteReading {
  readonly scopes: ScopeIds;
  readonly decoder: RowDecoder;

  constructor(
    readonly database: SqliteDatabase,
    readonly clock: Pick<Clock, 'now'>,
    readonly monitor: QuarantineMonitor | null,
  ) {
    this.scopes = new ScopeIds(database);
    this.decoder = new RowDecoder(monitor);
  }

  /** Answers at once, on the calling thread. Rejects if the caller has gone, and with an `UnavailableError` if the file cannot be read. */
  answer<Result>({ signal }: ReadContext, read: () => Result): Promise<Result> {
    return new Promise((resolve) => {
      signal.throwIfAborted();
      resolve(readFrom(read));
    });
  }

  /** As {@link answer}, from one state of the file, without later writes. */
  snapshot<Result>(context: ReadContext, read: () => Result): Promise<Result> {
    return this.answer(context, () => {
      this.database.exec('begin');
      try {
        return read();
      } finally {
        this.database.exec('commit');
      }
    });
  }
}
