import { setTimeout as sleep } from 'node:timers/promises';
import { DAY, UnavailableError, WaitingCalls } from '@vitrine/core';
import type {
  ChangeFeed,
  ChangesSince,
  FeedChange,
  FeedPosition,
  FeedQuery,
  Instant,
  ReadContext,
  ScopeRef,
  StoreChange,
  SyncEffect,
} from '@vitrine/core';
import { isSqliteError, readFrom, type SqliteDatabase, type SqlRow } from '../database/sqlite-database.js';

/** Text ends at its first U+0000 when it is read, so keys are read as bytes. */
const COLUMNS = 'number, at, operation, kind, cast(key as blob), ref, service, day, sync';
const NEXT_SQL = `select ${COLUMNS} from change where number >= ? order by number limit ?`;
const NEWEST_SQL = 'select number, at from change order by number desc limit 1';
/** Before the first change. */
const START = '0:0';
/** How long a call waits before it says that the file cannot be read, so that callers do not try again too often. */
const PAUSE_MS = 1_000;

/** How often the file is asked whether another process has written. It costs 0.02 ms, and more for waking up: an idle server uses less than 1 % of a processor. */
const ASKED_EVERY_MS = 75;

/** Reads the table of changes, which every process that opens the file writes to. Waiting calls hear at once when this process has written, and within 75 ms when another one has. */
export class SqliteChangeFeed implements ChangeFeed {
  readonly #waiting = new WaitingCalls();
  #timer: NodeJS.Timeout | undefined;
  #version = 0;
  #isClosed = false;
  /** The last read with its position: all followers wake at once, most at the same position, and 1,000 changes take 7 ms. */
  #last: { readonly asked: string; readonly found: ChangesSince } | null = null;

  constructor(private readonly database: SqliteDatabase) {}

  /** Call this when this process has written, as soon as readers see it. */
  written(): void {
    this.#waiting.wake();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.written();
  }

  async changesSince(position: FeedPosition | null, { limit, waitMs }: FeedQuery, { signal }: ReadContext): Promise<ChangesSince> {
    const until = performance.now() + waitMs;
    try {
      for (;;) {
        signal.throwIfAborted();
        if (this.#isClosed) throw new UnavailableError('The store is closed.');
        const found = readFrom(() => this.#readOnce(position, limit));
        const restMs = until - performance.now();
        if (found.isTooOld || found.changes.length > 0 || restMs <= 0) return found;
        await this.#nextWrite(restMs, signal);
      }
    } catch (error) {
      await sleep(PAUSE_MS, null, { signal, ref: false });
      throw error;
    }
  }

  #readOnce(position: FeedPosition | null, limit: number): ChangesSince {
    // The version changes with each commit of another connection, and this one does not write.
    const asked = JSON.stringify([position, limit, this.database.number('pragma data_version')]);
    if (this.#last?.asked !== asked) this.#last = { asked, found: this.#find(position, limit) };
    return this.#last.found;
  }

  #find(position: FeedPosition | null, limit: number): ChangesSince {
    const incarnation = this.#incarnation();
    const changes = position === null ? null : this.#changesAfter(position, incarnation, limit);
    if (position !== null && changes !== null) return { isTooOld: false, changes, position: changes.at(-1)?.position ?? position };
    const newest = this.database.row(NEWEST_SQL);
    return { isTooOld: true, changes: [], position: newest === null ? `${incarnation}:${START}` : positionOf(newest, incarnation) };
  }

  #incarnation(): string {
    const incarnation = String(this.database.row('select id from incarnation')?.[0]);
    if (!/^[0-9a-f]{32}$/.test(incarnation)) throw new UnavailableError('The name of the store is damaged.');
    return incarnation;
  }

  /** `null` for a position of another store. One statement reads all rows, so they are from one state of the file. */
  #changesAfter(position: FeedPosition, incarnation: string, limit: number): readonly FeedChange[] | null {
    const [store, number] = position.split(':');
    if (store !== incarnation || !Number.isSafeInteger(Number(number))) return null;
    const rows = rowsAfter(position, incarnation, this.database.rows(NEXT_SQL, Number(number), limit + 1));
    const changes = rows?.slice(0, limit).map((row) => changeOf(row, incarnation));
    return changes?.every((change) => change !== null) === true ? changes : null;
  }

  #nextWrite(waitMs: number, signal: AbortSignal): Promise<void> {
    this.#ask();
    return this.#waiting.next(signal, (over) => {
      const timer = setTimeout(over, waitMs).unref();
      return () => clearTimeout(timer);
    });
  }

  #ask(): void {
    this.#timer ??= setInterval(() => {
      if (!this.#waiting.isEmpty && this.#hasNew()) this.written();
    }, ASKED_EVERY_MS).unref();
  }

  /** Who waits reads the file then, and reports an error. */
  #hasNew(): boolean {
    try {
      // Changes with each commit of another connection, also of this process.
      const version = this.database.number('pragma data_version');
      const isNew = version !== this.#version;
      this.#version = version;
      return isNew;
    } catch (error) {
      if (!isSqliteError(error) && !(error instanceof UnavailableError)) throw error;
      return true;
    }
  }
}

function positionOf([number, at]: SqlRow, incarnation: string): FeedPosition {
  return `${incarnation}:${String(number)}:${String(at)}`;
}

/** The rows after a position; `null` if the row of the position was removed, or if another row has its number now. */
function rowsAfter(position: FeedPosition, incarnation: string, rows: readonly SqlRow[]): readonly SqlRow[] | null {
  const [first] = rows;
  if (position === `${incarnation}:${START}`) return first === undefined || Number(first[0]) === 1 ? rows : null;
  return first !== undefined && positionOf(first, incarnation) === position ? rows.slice(1) : null;
}

function changeOf(row: SqlRow, incarnation: string): FeedChange | null {
  const [, , operation, kind, key, ref, service, day, sync] = row;
  try {
    return {
      position: positionOf(row, incarnation),
      operation: operation as FeedChange['operation'],
      kind: kind as FeedChange['kind'],
      key: key === null ? null : Buffer.from(key as Uint8Array).toString(),
      repositoryRef: ref as ScopeRef | null,
      serviceKey: service as string | null,
      day: day as number | null,
      sync: sync === null ? null : (JSON.parse(sync as string) as SyncEffect),
    };
  } catch {
    return null;
  }
}

/** A row is written in the same transaction as the change that it describes. Its number and time show whether a position belongs to this file, or to a later state of it that was lost. */
export const CHANGE_TABLES = `
create table incarnation (id text not null) strict;
insert into incarnation values (lower(hex(randomblob(16))));
create table change (
  number integer primary key autoincrement,
  at integer not null,
  operation text not null,
  kind text not null,
  key text,
  ref text,
  service text,
  day integer,
  sync text
) strict;
`;

/** A copy of the store is another store: what is written to it does not continue what was written to the original. */
export const NEW_INCARNATION_SQL = 'update incarnation set id = lower(hex(randomblob(16)))';

/** A reader that is further behind reads everything. */
const KEPT_CHANGES = 100_000;
const KEPT_MS = 7 * DAY;

const INSERT_SQL = 'insert into change (at, operation, kind, key, ref, service, day, sync) values (?, ?, ?, ?, ?, ?, ?, ?)';
const OLDEST_SQL = 'select number from change where at >= ? order by number limit 1';

/** Writes the changes of a transaction, inside the transaction, and deletes old ones. */
export function writeChanges(database: SqliteDatabase, changes: readonly StoreChange[], at: Instant): void {
  if (changes.length === 0) return;
  const time = Math.floor(at);
  const newest = database.number(NEWEST_SQL);
  for (const { operation, kind, key, repositoryRef, serviceKey, day, sync } of changes)
    database.run(INSERT_SQL, time, operation, kind, key, repositoryRef, serviceKey, day, sync === null ? null : JSON.stringify(sync));
  // The newest one of before stays: readers that know everything are at its position.
  const kept = Math.min(newest, Math.max(newest + changes.length - KEPT_CHANGES + 1, database.number(OLDEST_SQL, time - KEPT_MS)));
  database.run('delete from change where number < ?', kept);
}
