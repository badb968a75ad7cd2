import { latestVisible, type Instant, type ReleaseSummary, type Repository, type RepositoryRef } from '@vitrine/core';
import { pageOfKind } from '../lists/list-page.js';
import { byKey } from './single-record.js';
import type { SqliteReading } from './sqlite-reading.js';

/** The time of the newest commit up to a given time. */
const ACTIVITY_SQL = `select time from listing
  where list = (select id from list where name = 'commit') and scope = ? and time <= ? order by time desc limit 1`;

/**
 * A stored repository with the facts that follow from its commits and releases; `null` if its record is not stored. Each fact is one step in an index, so
 * none is stored: a future release appears as soon as its time has come, without a write.
 */
export function storedRepository(reading: SqliteReading, ref: RepositoryRef): Repository | null {
  const record = byKey(reading, 'repository', ref);
  if (record === null) return null;
  const notAfter = latestVisible(reading.clock.now());
  const latestRelease = newestRelease(reading, ref, notAfter);
  const times = [newestCommit(reading, ref, notAfter), latestRelease?.publishedAt ?? null].filter((time) => time !== null);
  return { ...record, latestActivityAt: times.length === 0 ? null : Math.max(...times), latestRelease };
}

function newestCommit({ database, scopes }: SqliteReading, ref: RepositoryRef, notAfter: Instant): Instant | null {
  const time = database.row(ACTIVITY_SQL, scopes.find(ref) ?? 0, notAfter)?.[0];
  return typeof time === 'number' ? time : null;
}

function newestRelease(reading: SqliteReading, ref: RepositoryRef, notAfter: Instant): ReleaseSummary | null {
  const query = { limit: 1, after: null, from: null, to: notAfter };
  const [release] = pageOfKind(reading, { kind: 'release', scopes: [ref], query, filters: [] }).items;
  return release === undefined ? null : summaryOf(release);
}

function summaryOf({ tagName, name, releaseType, platform, publishedAt, sourceUrl }: ReleaseSummary): ReleaseSummary {
  return { tagName, name, releaseType, platform, publishedAt, sourceUrl };
}
