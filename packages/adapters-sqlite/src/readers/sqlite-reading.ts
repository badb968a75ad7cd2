import type { Clock, QuarantineMonitor, ReadContext, ScopeRef } from '@vitrine/core';
import { NumberedNames, readFrom, type SqliteDatabase, type SqlRow } from '../database/sqlite-database.js';
import { RowDecoder } from '../records/decoding.js';

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

/** Reads rows in parts, each when it is asked for. @param read reads at most `size` rows after the given one; `null` for the first part */
export function* rowParts(size: number, read: (last: SqlRow | null) => readonly SqlRow[]): Generator<readonly SqlRow[]> {
  for (let last: SqlRow | null = null; ;) {
    const rows = read(last);
    yield rows;
    const end = rows.at(-1);
    if (rows.length < size || end === undefined) return;
    last = end;
  }
}

/** A text of the row after which a part starts. The first part starts after the empty text. */
export function textAt(row: SqlRow | null, column: number): string {
  const value = row?.at(column);
  return typeof value === 'string' ? value : '';
}

/** The numbers that stand for repositories in indexes. Those without a record have none. All are kept, because a list of many repositories needs all of them each time. */
export class ScopeIds extends NumberedNames<ScopeRef> {
  constructor(database: SqliteDatabase) {
    super(database, 'scope', 'ref', Infinity);
  }

  /** The numbers of those repositories that have one. */
  ofAll(refs: readonly ScopeRef[]): readonly number[] {
    return refs.flatMap((ref) => this.find(ref) ?? []);
  }
}
