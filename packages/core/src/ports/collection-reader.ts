import type { Finding } from '../domain/development/finding.js';
import type { Release } from '../domain/development/release.js';
import type { StoredRecord } from '../domain/record.js';
import type { RepositoryRef } from '../domain/repositories/repository-name.js';
import type { Sync } from '../domain/shared/sync.js';
import type { Check } from '../domain/status/check.js';
import type { Service } from '../domain/status/service.js';
import type { ServiceDay } from '../domain/status/status-day.js';
import type { CheckedDay } from '../policies/status-counts/checked-day.js';
import type { ReadContext } from './read-context.js';
import type { CallContext } from './record-writer.js';

/** A stored record as one source says it. */
export interface StatedRecord {
  readonly record: StoredRecord;
  /** The id of the source's sync record; `null` if no source vouches for the record. */
  readonly source: string | null;
}

/** Reads for collectors only: they include every repository, approved or not. */
export interface CollectionReader {
  /** The branch of each stored commit of the repository, by sha. If the context names a source: only of those for which it or no source vouches. */
  commitBranches(ref: RepositoryRef, context: CallContext): Promise<ReadonlyMap<string, string | null>>;
  /** The ids of the repository's stored releases. If the context names a source: only of those for which it or no source vouches. */
  releaseIds(ref: RepositoryRef, context: CallContext): Promise<ReadonlySet<string>>;
  /** The repository's stored releases as readers show them, approved or not, in no order. */
  releasesOf(ref: RepositoryRef, context: ReadContext): AsyncIterable<Release>;
  /** The repository's stored findings, in any order. If the context names a source: only those for which it or no source vouches. */
  findings(ref: RepositoryRef, context: CallContext): Promise<readonly Finding[]>;
  sync(id: string, context: ReadContext): Promise<Sync | null>;
  /** All services, sorted by key. */
  services(context: ReadContext): Promise<readonly Service[]>;
  /**
   * The days whose raw checks are stored, by service key, oldest first. A service without such a day is absent. The number of queries must not depend on the
   * number of services or days, and no raw check is read.
   */
  checkedDays(context: ReadContext): Promise<ReadonlyMap<string, readonly CheckedDay[]>>;
  /** The raw checks of one service and UTC day, in any order. */
  checksOf(day: ServiceDay, context: ReadContext): Promise<readonly Check[]>;
  /** Every record of the store, repositories first and checks last: the order that an import needs. */
  records(context: ReadContext): AsyncIterable<StoredRecord>;
  /** The same records as each of their sources says them. If these are put again, each with its source, the store holds the same as before. */
  statements(context: ReadContext): AsyncIterable<StatedRecord>;
}
