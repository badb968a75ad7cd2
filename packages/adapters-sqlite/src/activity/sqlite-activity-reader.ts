import { type ActivityDay, type ActivityQuery, type ApprovedRepositories, DAY, type Instant, type ReadContext, startOfDay } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { SqliteReading } from '../records/reading.js';

export const COUNTED_KINDS = ['commit', 'release'] as const;
export type CountedKind = (typeof COUNTED_KINDS)[number];

/** The numbers as the records give them. A day is its number since 1970, also before. */
export const COUNTED_SQL = `select t.name as kind, l.scope, (l.time - ((l.time % 86400000) + 86400000) % 86400000) / 86400000 as day, count(*) as count
  from list t cross join listing l on l.list = t.id where t.name in ('commit', 'release') group by 1, 2, 3`;

/** The numbers of commits and releases by repository and UTC day. Earlier formats packed several days into one value. */
export const ACTIVITY_TABLE = `
drop table if exists activity;
create table activity (kind text not null, scope integer not null, day integer not null, count integer not null, primary key (kind, scope, day)) strict, without rowid;
insert into activity (kind, scope, day, count) ${COUNTED_SQL};
`;

const CHANGE_SQL = 'insert into activity (kind, scope, day, count) values (?, ?, ?, ?) on conflict do update set count = count + excluded.count';

/** Changes the number of a day. Call this in the transaction that adds the record to its list, or removes it. */
export function changeActivity(
  database: SqliteDatabase,
  kind: CountedKind,
  { scope, time }: { readonly scope: number; readonly time: Instant },
  by: 1 | -1,
): void {
  database.run(CHANGE_SQL, kind, scope, dayNumberOf(time), by);
}

function dayNumberOf(time: Instant): number {
  return Math.floor(time / DAY);
}

const DAYS_SQL = `select a.day, sum(a.count) from json_each(?) s cross join activity a
  on a.kind = ? and a.scope = s.value and a.day >= ? and a.day < ? group by a.day`;
/** One step in the index of the list for each repository, and for each record of the range. */
const RECORDS_SQL = `select count(*) from json_each(?) s cross join listing l
  on l.list = (select id from list where name = ?) and l.scope = s.value and l.time between ? and ?`;

/** Whole days are read from their stored numbers. A day of which only a part is asked for is counted. */
export function sqliteActivityDays(reading: SqliteReading) {
  return ({ refs }: Pick<ApprovedRepositories, 'refs'>, query: ActivityQuery, context: ReadContext): Promise<readonly ActivityDay[]> =>
    reading.snapshot(context, () => {
      const ids = JSON.stringify(reading.scopes.ofAll(refs));
      const days = new Map<Instant, ActivityDay>();
      for (const kind of COUNTED_KINDS)
        for (const [day, count] of countsOf(reading.database, kind, ids, query)) {
          const known = days.get(day) ?? { day, commits: 0, releases: 0 };
          days.set(day, kind === 'commit' ? { ...known, commits: count } : { ...known, releases: count });
        }
      return [...days.values()];
    });
}

function countsOf(database: SqliteDatabase, kind: CountedKind, ids: string, { from, to }: ActivityQuery): readonly (readonly [Instant, number])[] {
  const end = dayNumberOf(to + 1);
  const counts = database.rows(DAYS_SQL, ids, kind, dayNumberOf(from), end).map(([day, count]) => [Number(day) * DAY, Number(count)] as const);
  const cut = end * DAY <= to ? [[end * DAY, database.number(RECORDS_SQL, ids, kind, Math.max(from, startOfDay(to)), to)] as const] : [];
  return [...counts, ...cut].filter(([, count]) => count > 0);
}
