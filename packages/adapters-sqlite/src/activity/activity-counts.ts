import {
  DAY,
  startOfDay,
  type ActivityDay,
  type ActivityQuery,
  type ActivityReader,
  type ApprovedRepositories,
  type Instant,
  type ReadContext,
} from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { SqliteReading } from '../readers/sqlite-reading.js';

/**
 * The numbers of commits and releases by UTC day. A row holds several days of one repository in one value, because adding up a row for each day of a
 * thousand repositories takes ten times as long. The last statement counts the records of a file of format 1.
 */
export const ACTIVITY_TABLE = `
create table activity (
  kind text not null,
  scope integer not null,
  part integer not null,
  counts blob not null,
  primary key (kind, scope, part)
) strict, without rowid;
insert into activity (kind, scope, part, counts)
  select kind, scope, (day - ((day % 64) + 64) % 64) / 64, unhex(group_concat(printf('%08x%08x', day & 0xffffffff, count), '' order by day))
  from (
    select t.name as kind, l.scope, (l.time - ((l.time % 86400000) + 86400000) % 86400000) / 86400000 as day, count(*) as count
    from list t cross join listing l on l.list = t.id where t.name in ('commit', 'release') group by 1, 2, 3
  ) group by 1, 2, 3;
`;

/** The kinds of records that are counted by day. */
export const COUNTED_KINDS = ['commit', 'release'] as const;
export type CountedKind = (typeof COUNTED_KINDS)[number];

/** How many days one row holds: a year is in few rows, and a change rewrites few bytes. */
const DAYS_PER_ROW = 64;

/** For each day of a row that has records: the number of the day since 1970, and the number of records, each in four bytes. */
const ENTRY_BYTES = 8;

/** The UTC day of a time, as its number since 1970. */
function dayNumberOf(time: Instant): number {
  return Math.floor(time / DAY);
}

/** The row that a day is in. */
function rowNumberOf(dayNumber: number): number {
  return Math.floor(dayNumber / DAYS_PER_ROW);
}

/** Calls `add` for each day in the bytes of one or more rows. */
function eachCount(bytes: Uint8Array, add: (dayNumber: number, count: number) => void): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < view.byteLength; at += ENTRY_BYTES) add(view.getInt32(at), view.getUint32(at + 4));
}

/** The bytes of a row, in the order of the days. Days without records take no space. */
function packCounts(counts: ReadonlyMap<number, number>): Uint8Array {
  const days = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const view = new DataView(new ArrayBuffer(days.length * ENTRY_BYTES));
  for (const [index, [dayNumber, count]] of days.entries()) {
    view.setInt32(index * ENTRY_BYTES, dayNumber);
    view.setUint32(index * ENTRY_BYTES + 4, count);
  }
  return new Uint8Array(view.buffer);
}

interface ChangedRow {
  readonly kind: CountedKind;
  readonly scope: number;
  readonly part: number;
  /** By how much the number of each day has changed. */
  readonly changes: Map<number, number>;
}

/** Keeps the daily numbers of commits and releases up to date. Every method must run inside the transaction that changes the records. */
export class ActivityWriter {
  readonly #changed = new Map<string, ChangedRow>();

  constructor(private readonly database: SqliteDatabase) {}

  added(kind: CountedKind, scope: number, time: Instant): void {
    this.#change(kind, scope, time, 1);
  }

  removed(kind: CountedKind, scope: number, time: Instant): void {
    this.#change(kind, scope, time, -1);
  }

  /** Writes all changes since the last call. Call this once, at the end of a transaction. */
  finish(): void {
    for (const row of this.#changed.values()) this.#write(row);
    this.#changed.clear();
  }

  /** After a transaction has failed, its changes do not count. */
  forget(): void {
    this.#changed.clear();
  }

  #change(kind: CountedKind, scope: number, time: Instant, by: number): void {
    const dayNumber = dayNumberOf(time);
    const part = rowNumberOf(dayNumber);
    const key = `${kind} ${String(scope)} ${String(part)}`;
    const row = this.#changed.get(key) ?? { kind, scope, part, changes: new Map<number, number>() };
    row.changes.set(dayNumber, (row.changes.get(dayNumber) ?? 0) + by);
    this.#changed.set(key, row);
  }

  #write({ kind, scope, part, changes }: ChangedRow): void {
    const counts = new Map<number, number>();
    const stored = this.database.row('select counts from activity where kind = ? and scope = ? and part = ?', kind, scope, part)?.[0];
    if (stored instanceof Uint8Array) eachCount(stored, (dayNumber, count) => counts.set(dayNumber, count));
    for (const [dayNumber, by] of changes) counts.set(dayNumber, (counts.get(dayNumber) ?? 0) + by);
    const packed = packCounts(counts);
    if (packed.length === 0) this.database.run('delete from activity where kind = ? and scope = ? and part = ?', kind, scope, part);
    else this.database.run('insert or replace into activity (kind, scope, part, counts) values (?, ?, ?, ?)', kind, scope, part, packed);
  }
}

/** All rows of the repositories in one value, because reading many small ones takes several times as long. */
const COUNTS_SQL = `select cast(group_concat(a.counts, '') as blob) from json_each(?) s cross join activity a
  on a.kind = ? and a.scope = s.value and a.part between ? and ?`;
/** One step in the index of the list for each repository, and for each record of the range. */
const RECORDS_SQL = `select count(*) from json_each(?) s cross join listing l
  on l.list = (select id from list where name = ?) and l.scope = s.value and l.time between ? and ?`;

/** Whole days are read from their stored numbers. A day of which only a part is asked for is counted. */
export class SqliteActivityReader implements ActivityReader {
  constructor(private readonly reading: SqliteReading) {}

  days({ refs }: Pick<ApprovedRepositories, 'refs'>, query: ActivityQuery, context: ReadContext): Promise<readonly ActivityDay[]> {
    const { scopes } = this.reading;
    return this.reading.snapshot(context, () => {
      const ids = JSON.stringify(scopes.ofAll(refs));
      const first = dayNumberOf(query.from);
      const [commits, releases] = [this.#countsOf('commit', ids, query), this.#countsOf('release', ids, query)];
      return [...commits].flatMap((count, index): ActivityDay[] => {
        const counts = { commits: count, releases: releases[index] ?? 0 };
        return counts.commits + counts.releases === 0 ? [] : [{ day: (first + index) * DAY, ...counts }];
      });
    });
  }

  /** The number of each day from the first one on. */
  #countsOf(kind: CountedKind, ids: string, { from, to }: ActivityQuery): Float64Array {
    const { database } = this.reading;
    const [first, end] = [dayNumberOf(from), dayNumberOf(to + 1)];
    const counts = new Float64Array(end - first + 1);
    const bytes = database.row(COUNTS_SQL, ids, kind, rowNumberOf(first), rowNumberOf(end))?.[0];
    if (bytes instanceof Uint8Array)
      eachCount(bytes, (dayNumber, count) => {
        if (dayNumber >= first && dayNumber < end) counts[dayNumber - first] = (counts[dayNumber - first] ?? 0) + count;
      });
    const isCut = end * DAY <= to;
    if (isCut) counts[end - first] = database.number(RECORDS_SQL, ids, kind, Math.max(from, startOfDay(to)), to);
    return counts;
  }
}
