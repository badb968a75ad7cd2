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
import { dayNumberOf, eachCount, rowNumberOf, type CountedKind } from './activity-counts.js';

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
    const { database } = this.#reading;
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
