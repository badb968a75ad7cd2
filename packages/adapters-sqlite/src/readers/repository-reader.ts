import {
  compareText,
  latestVisible,
  nameOfRef,
  pageOf,
  type ApprovedRepositories,
  type Instant,
  type NamePosition,
  type Page,
  type ReadContext,
  type Release,
  type ReleaseSummary,
  type Repository,
  type RepositoryQuery,
  type RepositoryReader,
  type RepositoryRecord,
  type RepositoryRef,
} from '@vitrine/core';
import type { SqlRow } from '../database/sqlite-database.js';
import { pageOfKind } from '../lists/list-page.js';
import { rowOf } from '../records/decoding.js';
import type { SqliteReading } from './sqlite-reading.js';

export class SqliteRepositoryReader implements RepositoryReader {
  constructor(private readonly reading: SqliteReading) {}

  list(approved: ApprovedRepositories, { limit, after }: RepositoryQuery, context: ReadContext): Promise<Page<Repository, NamePosition>> {
    return this.reading.answer(context, () => {
      // The refs are in the order of the list.
      const refs = approved.refs.filter((ref) => after === null || compareText(nameOfRef(ref), after.fullName) > 0);
      const found: Repository[] = [];
      for (let start = 0; start < refs.length && found.length <= limit; start += limit + 1)
        found.push(...storedRepositories(this.reading, refs.slice(start, start + limit + 1)));
      return pageOf(found.slice(0, limit + 1), limit, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
    });
  }

  byRefs(approved: ApprovedRepositories, refs: readonly RepositoryRef[], context: ReadContext): Promise<readonly Repository[]> {
    return this.reading.answer(context, () =>
      storedRepositories(
        this.reading,
        [...new Set(refs)].filter((ref) => approved.admits(ref)),
      ),
    );
  }
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
  return { ...record, latestActivityAt: times.length === 0 ? null : Math.max(...times), latestRelease: release === null ? null : summaryOf(release) };
}

/** If the newest one cannot be decoded, the one before it counts. */
function newestRelease(reading: SqliteReading, ref: RepositoryRef, columns: SqlRow, notAfter: Instant): Release | null {
  if (columns[0] === null) return null;
  const newest = reading.decoder.record('release', rowOf(columns));
  if (newest !== null) return newest;
  const query = { limit: 1, after: null, from: null, to: notAfter };
  return pageOfKind(reading, { kind: 'release', scopes: [ref], query, filters: [] }).items[0] ?? null;
}

function summaryOf({ tagName, name, releaseType, platform, publishedAt, sourceUrl }: ReleaseSummary): ReleaseSummary {
  return { tagName, name, releaseType, platform, publishedAt, sourceUrl };
}
