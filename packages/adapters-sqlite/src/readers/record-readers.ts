import {
  compareText,
  firstOfEachSha,
  type Instant,
  keyOfIdentity,
  latestVisible,
  nameOfRef,
  pageOf,
  type RecordTables,
  type Release,
  releaseSummary,
  type Repository,
  type RepositoryReader,
  type RepositoryRecord,
  type RepositoryRef,
  scopesRead,
} from '@vitrine/core';
import type { SqlRow, SqlValue } from '../database/sqlite-database.js';
import { listsWith, pageOfKind } from '../lists/list-page.js';
import { type PlainRecords, ROW_COLUMNS, rowOf } from '../records/decoding.js';
import type { SqliteReading } from './sqlite-reading.js';

/** Sorts after every hexadecimal digit. */
const AFTER_DIGITS = 'g';

export function recordTables(reading: SqliteReading): RecordTables {
  return {
    page: (question, context) =>
      reading.answer(context, () =>
        pageOfKind(reading, {
          ...question,
          scopes: scopesRead(question),
          filters: question.filters.map((filter) => listsWith(question.kind, filter)),
        }),
      ),
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

/** The record with this key within its kind; `null` if there is none. */
export function byKey<Kind extends keyof PlainRecords>(reading: SqliteReading, kind: Kind, key: string): PlainRecords[Kind] | null {
  return recordsWhere(reading, kind, 'where kind = ? and key = ?', kind, key)[0] ?? null;
}

/** The records of one kind that a condition finds. Those that cannot be decoded are left out. */
function recordsWhere<Kind extends keyof PlainRecords>(
  { database, decoder }: SqliteReading,
  kind: Kind,
  where: string,
  ...values: readonly SqlValue[]
): PlainRecords[Kind][] {
  return database.rows(`select ${ROW_COLUMNS} from record ${where}`, ...values).flatMap((row) => decoder.record(kind, rowOf(row)) ?? []);
}

/** The record of the first key that has one. */
function firstOf<Kind extends keyof PlainRecords>(reading: SqliteReading, kind: Kind, keys: readonly string[]): PlainRecords[Kind] | null {
  const found = recordsWhere(reading, kind, 'where kind = ? and key in (select value from json_each(?))', kind, JSON.stringify(keys));
  return found.sort((a, b) => keys.indexOf(keyOfIdentity(a)) - keys.indexOf(keyOfIdentity(b)))[0] ?? null;
}

export function repositoryReader(reading: SqliteReading): RepositoryReader {
  return {
    list: (approved, { limit, after }, context) =>
      reading.answer(context, () => {
        // The refs are in the order of the list.
        const refs = approved.refs.filter((ref) => after === null || compareText(nameOfRef(ref), after.fullName) > 0);
        const found: Repository[] = [];
        for (let start = 0; start < refs.length && found.length <= limit; start += limit + 1)
          found.push(...storedRepositories(reading, refs.slice(start, start + limit + 1)));
        return pageOf(found.slice(0, limit + 1), limit, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
      }),
    byRefs: (approved, refs, context) => {
      const admitted = [...new Set(refs)].filter((ref) => approved.admits(ref));
      return reading.answer(context, () => storedRepositories(reading, admitted));
    },
  };
}

/** The repositories with their newest release, and the time of their newest commit, up to a given time. */
const REPOSITORIES_SQL = `select r.json, r.key, r.time, p.json, p.key, p.time,
    (select time from listing where list = (select id from list where name = 'commit') and scope = r.scope and time <= ?1 order by time desc limit 1)
  from json_each(?2) cross join record r on r.kind = 'repository' and r.key = json_each.value
  left join record p on p.id =
    (select record from listing where list = (select id from list where name = 'release') and scope = r.scope and time <= ?1 order by time desc, key limit 1)`;
/** The number of columns of a record. */
const RECORD_COLUMNS = 3;

/**
 * The stored ones of the repositories, in their order, with the facts that follow from their commits and releases. Each fact is one step in an index, so none is stored: a
 * future release appears as soon as its time has come, without a write. All are read with one statement, because a page needs up to 100 of them.
 */
function storedRepositories(reading: SqliteReading, refs: readonly RepositoryRef[]): readonly Repository[] {
  if (refs.length === 0) return [];
  const notAfter = latestVisible(reading.clock.now());
  return reading.database.rows(REPOSITORIES_SQL, notAfter, JSON.stringify(refs)).flatMap((row) => {
    const record = reading.decoder.record('repository', rowOf(row));
    return record === null ? [] : [withFacts(reading, record, row, notAfter)];
  });
}

/** One of {@link storedRepositories}; `null` if its record is not stored. */
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
