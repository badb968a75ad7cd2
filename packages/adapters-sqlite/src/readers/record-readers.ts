import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CallContext,
  type CollectionReader,
  DAY,
  firstOfEachSha,
  type Instant,
  keyOfIdentity,
  LATEST_INSTANT,
  latestVisible,
  type ListedKind,
  PLAIN_KINDS,
  type ReadContext,
  type RecordTables,
  type Release,
  releaseSummary,
  type Repository,
  type RepositoryReader,
  repositoryReader,
  type RepositoryRecord,
  type RepositoryRef,
  scopesRead,
  statedBy,
  type StatedRecord,
} from '@vitrine/core';
import type { SqlRow, SqlValue } from '../database/sqlite-database.js';
import { pageOfKind } from '../lists/list-page.js';
import { isText, listOf, maybe, ROW_COLUMNS, rowOf, rowParts, storedJson, textAt } from '../records/reading.js';
import type { PlainRecords, SqliteReading } from '../records/reading.js';
import { checkRecords } from '../status/sqlite-check-reader.js';
import { StatusStore } from '../status/status-store.js';
import { OF_SOURCE_SQL, Vouchers } from '../writing/record-table.js';

/** Sorts after every hexadecimal digit. */
const AFTER_DIGITS = 'g';

export function recordTables(reading: SqliteReading): RecordTables {
  return {
    page: (question, context) => reading.answer(context, () => pageOfKind(reading, { ...question, scopes: scopesRead(question) })),
    first: (kind, keys, _, context) => reading.answer(context, () => firstOf(reading, kind, keys)),
    bySha: (approved, prefix, context) => {
      const where = 'indexed by record_sha where sha >= ? and sha < ? and scope in (select value from json_each(?))';
      const scopes = (): string => JSON.stringify(reading.scopes.ofAll(approved.refs));
      return reading.answer(context, () => firstOfEachSha(recordsWhere(reading, 'commit', where, prefix, prefix + AFTER_DIGITS, scopes())));
    },
    services: (context) => reading.answer(context, () => recordsWhere(reading, 'service', `where kind = 'service' order by key`)),
    syncsOf: (scopes, context) => {
      const where = `indexed by record_key where kind = 'sync' and scope in (select value from json_each(?)) order by key`;
      return reading.answer(context, () => recordsWhere(reading, 'sync', where, JSON.stringify(reading.scopes.ofAll(scopes))));
    },
    syncsFrom: (prefix, context) => {
      const where = `indexed by record_key where kind = 'sync' and key >= ? and key < ? order by key`;
      // The first text after all that begin with the prefix: a semicolon follows a colon.
      return reading.answer(context, () => recordsWhere(reading, 'sync', where, prefix, prefix.replace(/:$/, ';')));
    },
  };
}

function recordsWhere<Kind extends keyof PlainRecords>(
  { database, decoder }: SqliteReading,
  kind: Kind,
  where: string,
  ...values: readonly SqlValue[]
): PlainRecords[Kind][] {
  return database.rows(`select ${ROW_COLUMNS} from record ${where}`, ...values).flatMap((row) => decoder.record(kind, rowOf(row)) ?? []);
}

function firstOf<Kind extends keyof PlainRecords>(reading: SqliteReading, kind: Kind, keys: readonly string[]): PlainRecords[Kind] | null {
  const found = recordsWhere(reading, kind, 'where kind = ? and key in (select value from json_each(?))', kind, JSON.stringify(keys));
  return found.sort((a, b) => keys.indexOf(keyOfIdentity(a)) - keys.indexOf(keyOfIdentity(b)))[0] ?? null;
}

export function sqliteRepositoryReader(reading: SqliteReading): RepositoryReader {
  return repositoryReader((_, refs, limit, context) =>
    reading.answer(context, () => {
      const most = limit ?? refs.length;
      const found: Repository[] = [];
      for (let start = 0; start < refs.length && found.length < most; start += most)
        found.push(...storedRepositories(reading, refs.slice(start, start + most)));
      return found.slice(0, most);
    }),
  );
}

/** The repositories with their newest release, and the time of their newest commit, up to a given time. */
const REPOSITORIES_SQL = `select r.json, r.key, r.time, p.json, p.key, p.time,
    (select time from listing where list = (select id from list where name = 'commit') and scope = r.scope and time <= ?1 order by time desc limit 1)
  from json_each(?2) cross join record r on r.kind = 'repository' and r.key = json_each.value
  left join record p on p.id =
    (select record from listing where list = (select id from list where name = 'release') and scope = r.scope and time <= ?1 order by time desc, key limit 1)`;
const RECORD_COLUMNS = 3;

/** The stored ones of the repositories, in their order, with their facts. Each fact is one step in an index and is not stored, so a future release appears without a write when its time has come. */
function storedRepositories(reading: SqliteReading, refs: readonly RepositoryRef[]): readonly Repository[] {
  if (refs.length === 0) return [];
  const notAfter = latestVisible(reading.clock.now());
  return reading.database.rows(REPOSITORIES_SQL, notAfter, JSON.stringify(refs)).flatMap((row) => {
    const record = reading.decoder.record('repository', rowOf(row));
    return record === null ? [] : [withFacts(reading, record, row, notAfter)];
  });
}

export function storedRepository(reading: SqliteReading, ref: RepositoryRef): Repository | null {
  return storedRepositories(reading, [ref])[0] ?? null;
}

function withFacts(reading: SqliteReading, record: RepositoryRecord, row: SqlRow, notAfter: Instant): Repository {
  const release = newestRelease(reading, record.repositoryRef, row.slice(RECORD_COLUMNS, 2 * RECORD_COLUMNS), notAfter);
  const newestCommit = row[2 * RECORD_COLUMNS];
  const times = [newestCommit, release?.publishedAt].filter((time) => typeof time === 'number');
  return {
    ...record,
    latestActivityAt: times.length === 0 ? null : Math.max(...times),
    latestRelease: release === null ? null : releaseSummary(release),
  };
}

/** If the newest one cannot be decoded, the one before it counts. */
function newestRelease(reading: SqliteReading, ref: RepositoryRef, columns: SqlRow, notAfter: Instant): Release | null {
  if (columns[0] === null) return null;
  const newest = reading.decoder.record('release', rowOf(columns));
  if (newest !== null) return newest;
  const query = { limit: 1, after: null, from: null, to: notAfter };
  return pageOfKind(reading, { kind: 'release', scopes: [ref], query, filters: [] }).items[0] ?? null;
}

/** Shorter parts take less than a millisecond, and most are the last. */
const LONG_PART = 100;
const PART_SIZE = 500;
/** Images are large. */
const IMAGES_SIZE = 16;
const BRANCHES_SIZE = 5_000;
/** Releases have long notes. */
const OF_KIND_SIZE = 100;
const START = LATEST_INSTANT + 1;
/** The branch is JSON: as text, it would end at its first U+0000. */
const BRANCH_COLUMNS = `r.sha, case when json_valid(r.json) then json_array(r.json -> '$.branch') end`;
const isBranch = listOf<string | null>(maybe(isText));
const listPartSql = (columns: string): string => `select ${columns}, l.time, hex(l.key)
  from listing l cross join record r on r.id = l.record
  where l.list = (select id from list where name = ?6) and l.scope = ?2 and l.time <= ?3 and (l.time < ?3 or l.key > cast(unhex(?4) as text))
    and (?1 is null or ${OF_SOURCE_SQL})
  order by l.time desc, l.key limit ?5`;
const BRANCHES_SQL = listPartSql(BRANCH_COLUMNS);
const OF_KIND_SQL = listPartSql('r.json, r.key, r.time');
/** The key as hexadecimal digits, because one that is not UTF-8 has no other name. */
const PART_SQL = `select ${ROW_COLUMNS}, id, source, hex(key) from record where kind = ? and key > cast(unhex(?) as text) order by kind, key limit ?`;

/** What a collector reads: all repositories, approved or not. Large answers come in parts, each of which is read when it is asked for. @param retentionMs how long raw checks are kept */
export function sqliteCollectionReader(reading: SqliteReading, retentionMs: number): CollectionReader {
  const { database, scopes, decoder, clock } = reading;
  const [checks, vouchers] = [new StatusStore(database, reading.monitor), new Vouchers(database)];
  const listed = (sql: string, size: number, kind: ListedKind, ref: RepositoryRef, context: CallContext): AsyncIterable<SqlRow> => {
    const { source = null } = context;
    // No record has the number of a source that has never vouched.
    const of = [source === null ? null : (vouchers.numbers.find(source) ?? -1), scopes.find(ref) ?? 0] as const;
    const parts = rowParts(size, (last) => database.rows(sql, ...of, Number(last?.at(-2) ?? START), textAt(last, -1), size, kind));
    return each(reading, context, parts);
  };
  return {
    commitBranches: async (ref, context) => {
      const branches = new Map<string, string | null>();
      for await (const [sha, json] of listed(BRANCHES_SQL, BRANCHES_SIZE, 'commit', ref, context)) {
        const branch = storedJson(json, isBranch);
        if (branch !== null) branches.set(String(sha), branch[0] ?? null);
      }
      return branches;
    },
    async *ofRepository(kind, ref, context) {
      for await (const row of listed(OF_KIND_SQL, OF_KIND_SIZE, kind, ref, context)) {
        const record = decoder.record(kind, rowOf(row));
        if (record !== null) yield record;
      }
    },
    sync: (id, context) => reading.answer(context, () => firstOf(reading, 'sync', [id])),
    services: (context) => recordTables(reading).services(context),
    checkedDays: (context) => reading.answer(context, () => checks.checkedDays()),
    checksOf: ({ serviceKey, day }, context) => reading.answer(context, () => checks.checksBetween(serviceKey, day, day + DAY - 1)),
    async *records(context) {
      for await (const { record } of each(reading, context, storedRecords(reading, checks, clock.now() - retentionMs))) yield record;
    },
    statements: (context) => each(reading, context, storedRecords(reading, checks, clock.now() - retentionMs, vouchers)),
  };
}

/** Other work can run between two long parts. Each part shows the store at the time at which it is read. */
async function* each<Item>(reading: SqliteReading, context: ReadContext, parts: Iterator<readonly Item[]>): AsyncIterable<Item> {
  for (;;) {
    const part = await reading.answer(context, () => parts.next());
    if (part.done === true) return;
    yield* part.value;
    if (part.value.length >= LONG_PART) await nextTurn();
  }
}

/** Everything that is stored, in parts. @param keptFrom days of checks that start earlier are older than the retention @param vouchers for each record as each of its sources says it */
export function* storedRecords(
  { database, decoder }: SqliteReading,
  checks: StatusStore,
  keptFrom: Instant,
  vouchers: Vouchers | null = null,
): Generator<readonly StatedRecord[]> {
  for (const kind of PLAIN_KINDS) {
    const size = kind === 'image' ? IMAGES_SIZE : PART_SIZE;
    for (const rows of rowParts(size, (last) => database.rows(PART_SQL, kind, textAt(last, 5), size)))
      yield rows.flatMap((row) => {
        const record = decoder.record(kind, rowOf(row));
        if (record === null) return [];
        return vouchers === null ? [{ record, source: null }] : statedBy(vouchers.of(record, Number(row[3]), row[4]));
      });
  }
  for (const records of checkRecords(database, checks, keptFrom)) yield records.map((record) => ({ record, source: null }));
}
