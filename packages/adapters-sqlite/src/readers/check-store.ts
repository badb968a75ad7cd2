import { LATEST_INSTANT, PLAIN_KINDS, quotable } from '@vitrine/core';
import { COUNTED_SQL } from '../activity/sqlite-activity-reader.js';
import { isSqliteError, type SqliteDatabase, type SqlRow } from '../database/sqlite-database.js';
import { StatusStore } from '../status/status-store.js';
import { DAY_COLUMNS, HOUR_COLUMNS } from '../status/status-tables.js';
import { storedRecords } from './record-readers.js';
import { SqliteReading } from '../records/reading.js';

/** Something stored that cannot be used. */
export interface Damage {
  /** The kind of record, or what else is stored. */
  readonly kind: string;
  /** In a form that may be printed. */
  readonly id: string;
  readonly reason: string;
}

/** What a look at everything that is stored has found. */
export interface StoreCheck {
  /** The number of stored records of each kind. */
  readonly records: ReadonlyMap<string, number>;
  readonly damages: readonly Damage[];
}

type Report = (kind: string, id: unknown, reason: string) => void;
const SILENT: Report = () => undefined;

/** Tables of names and marks, with what they hold. All of their rows fit in memory. */
const SMALL_TABLES = [
  ['scope', 'repository'],
  ['list', 'list'],
  ['source', 'source'],
  ['incarnation', 'identity of the store'],
  ['lease', 'lease'],
  ['change', 'change'],
  ['search_scope', 'search'],
  ['search_renamed', 'search'],
  ['search_state', 'search'],
] as const;
const COUNT_SQL = `select kind, count(*) from record group by kind union all select 'check', count(*) from status_check
  union all select 'status-day', count(*) from status_day`;
/** What the database can find out itself: each row is the kind, the id and the reason of a damage. */
const QUERIES: readonly (readonly [what: string, sql: string])[] = [
  ['pages', `select 'file', 'vitrine.db', integrity_check from pragma_integrity_check(100) where integrity_check <> 'ok'`],
  [
    'references',
    `select replace("table", '_', ' '), ifnull(rowid, 'one'), 'names a missing ' || replace(parent, '_', ' ') from pragma_foreign_key_check`,
  ],
  ['kinds', `select 'record', key, 'unknown kind ' || kind from record where kind not in (${PLAIN_KINDS.map((kind) => `'${kind}'`).join()})`],
  [
    'lists',
    `select 'list ' || ifnull(t.name, l.list), l.key, iif(r.id is null, 'without a record', 'wrong') from listing l
      left join list t on t.id = l.list left join record r on r.id = l.record where r.id is null or r.key <> l.key or t.id is null`,
  ],
  [
    'listed records',
    `select r.kind, r.key, 'missing in its list' from record r where r.time is not null and not exists (select 1 from listing l
      join list t on t.id = l.list and t.name = r.kind where l.scope = r.scope and l.time = r.time and l.key = r.key and l.record = r.id)`,
  ],
  [
    'statements',
    `select 'statement', ifnull(c.name, s.source) || ' about ' || ifnull(r.key, s.record), 'unreadable' from statement s left join source c on c.id = s.source
      left join record r on r.id = s.record where not json_valid(s.says) or json_type(s.says) <> 'object'`,
  ],
  [
    'activity',
    `with counted as (${COUNTED_SQL})
      select distinct 'activity', ifnull(s.kind, c.kind) || ' of ' || ifnull((select ref from scope where id = ifnull(s.scope, c.scope)), 'no repository'), 'differs from the records'
      from activity s full join counted c on c.kind = s.kind and c.scope = s.scope and c.day = s.day where ifnull(s.count, 0) <> ifnull(c.count, 0)`,
  ],
];
const SERVICE_SQL = 'service = cast(unhex(?) as text)';

/** Reads all stored records and names damaged ones. Later writes are not seen. */
export function checkStore(database: SqliteDatabase): StoreCheck {
  const damages = new Map<string, Damage>();
  const report: Report = (kind, id, reason) => {
    const damage = { kind, id: quotable(String(id)), reason };
    damages.set(`${kind} ${damage.id} ${reason}`, damage);
  };
  const records = new Map<string, number>();
  database.exec('begin');
  try {
    for (const [what, read] of reads(database, report, records)) attempt(what, report, read);
  } finally {
    // After a read of damaged pages this can fail. Then the transaction, which has written nothing, ends with the connection.
    attempt('end', SILENT, () => database.exec('commit'));
  }
  return { records, damages: [...damages.values()] };
}

/** Damaged pages end one part of the check, not the others. */
function attempt(what: string, report: Report, read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    report('file', what, error.message);
  }
}

function reads(database: SqliteDatabase, report: Report, counts: Map<string, number>): readonly (readonly [what: string, read: () => void])[] {
  const reading = new SqliteReading(database, { now: () => LATEST_INSTANT }, { quarantined: report });
  const store = new StatusStore(database, reading.monitor);
  const each = (sql: string, told: (row: SqlRow) => unknown) => (): void => {
    for (const row of database.rows(sql)) told(row);
  };
  return [
    ...QUERIES.map(([what, sql]) => [what, each(sql, ([kind, id, reason]) => report(String(kind), id, String(reason)))] as const),
    ['numbers of records', each(COUNT_SQL, ([kind, count]) => counts.set(String(kind), Number(count)))],
    ...SMALL_TABLES.map(([table, what]) => [what, each(`select * from ${table}`, (row) => checkTexts(what, row, report))] as const),
    [
      'records',
      () => {
        for (const part of storedRecords(reading, store, LATEST_INSTANT)) void part;
      },
    ],
    ['profiles', each('select id from check_profile', ([id]) => store.rows.profile(Number(id)))],
    ['days', ofServices(database, 'status_day', DAY_COLUMNS, (service, row) => store.dayOf(service, row))],
    ['hours', ofServices(database, 'status_hour', HOUR_COLUMNS, (service, row) => store.hourOf(service, row))],
    ['latest states', each('select service, json from status_latest', ([service, json]) => store.latestOf(String(service), json))],
  ];
}

/** Each service for itself, because all rows together take much memory. */
function ofServices(database: SqliteDatabase, table: string, columns: string, told: (service: string, row: SqlRow) => unknown) {
  return (): void => {
    for (const [id] of database.rows(`select distinct hex(service) from ${table}`))
      for (const row of database.rows(`select ${columns}, service from ${table} where ${SERVICE_SQL}`, String(id))) told(String(row.at(-1)), row);
  };
}

/** Whether all text is UTF-8: other text is read with a mark before it. */
function checkTexts(what: string, row: SqlRow, report: Report): boolean {
  const broken = row.find((value) => typeof value === 'string' && value.startsWith('\u{fffd}'));
  if (broken !== undefined) report(what, broken, 'not UTF-8');
  return broken === undefined;
}
