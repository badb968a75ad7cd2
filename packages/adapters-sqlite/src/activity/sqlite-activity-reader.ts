import {
  DAY,
  startOfDay,
  type ActivityDay,
  type ActivityQuery,
  type ActivityReader,
  type ApprovedRepositories,
  type ReadContext,
} from '@vitrine/core';
import type { SqliteReading } from '../readers/sqlite-reading.js';
import { COUNTED_KINDS, dayNumberOf, eachCount, rowNumberOf, type CountedKind } from './activity-counts.js';

/** All rows of the repositories in one value, because reading many small ones takes several times as long. */
const COUNTS_SQL = `select cast(group_concat(a.counts, '') as blob) from json_each(?) s cross join activity a
  on a.kind = ? and a.scope = s.value and a.part between ? and ?`;
/** One step in the index of the list for each repository, and for each record of the range. */
const RECORDS_SQL = `select count(*) from json_each(?) s cross join listing l
  on l.list = (select id from list where name = ?) and l.scope = s.value and l.time between ? and ?`;

/** Whole days are read from their stored numbers. A day of which only a part is asked for is counted. */
export class SqliteActivityReader implements ActivityReader {
  readonly #reading: SqliteReading;

  constructor(reading: SqliteReading) {
    this.#reading = reading;
  }

  days(approved: ApprovedRepositories, query: ActivityQuery, context: ReadContext): Promise<readonly ActivityDay[]> {
    const { scopes } = this.#reading;
    return this.#reading.snapshot(context, () => {
      const ids = JSON.stringify(scopes.ofAll(approved.refs));
      const [commits, releases] = COUNTED_KINDS.map((kind) => this.#countsOf(kind, ids, query));
      const days = new Set([...(commits?.keys() ?? []), ...(releases?.keys() ?? [])]);
      return [...days].map((day) => ({ day: day * DAY, commits: commits?.get(day) ?? 0, releases: releases?.get(day) ?? 0 }));
    });
  }

  #countsOf(kind: CountedKind, ids: string, { from, to }: ActivityQuery): ReadonlyMap<number, number> {
    const { database } = this.#reading;
    const [first, end] = [dayNumberOf(from), dayNumberOf(to + 1)];
    const counts = new Map<number, number>();
    const bytes = database.row(COUNTS_SQL, ids, kind, rowNumberOf(first), rowNumberOf(end))?.[0];
    if (bytes instanceof Uint8Array)
      eachCount(bytes, (dayNumber, count) => {
        if (dayNumber >= first && dayNumber < end) counts.set(dayNumber, (counts.get(dayNumber) ?? 0) + count);
      });
    const ofPart = end * DAY > to ? 0 : database.number(RECORDS_SQL, ids, kind, Math.max(from, startOfDay(to)), to);
    if (ofPart > 0) counts.set(end, ofPart);
    return counts;
  }
}
