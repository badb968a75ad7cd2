import type { Check } from '../kinds/check.js';
import type { StoredRecord } from '../kinds/identity.js';
import type { RecordOf, ScopedKind } from '../kinds/kinds.js';
import type { Page, PageRequest, TimePosition } from '../kinds/page.js';
import type { RepositoryRef } from '../kinds/repository-name.js';
import type { SearchableRecord } from '../kinds/search.js';
import type { Service } from '../kinds/service.js';
import type { ServiceDay } from '../kinds/status-day.js';
import type { Sync } from '../kinds/sync.js';
import type { ApprovedRepositories } from '../rules/allowlist.js';
import type { CheckedDay } from '../rules/evidence.js';
import type { CallContext } from './record-writer.js';
import type { ReadContext } from './readers.js';

export interface ScanQuery extends PageRequest<TimePosition> {
  readonly kind: SearchableRecord['kind'];
  /** 1 to 1,000. */
  readonly limit: number;
}

/** Reads the records from which a search index is made. Records that cannot be decoded are left out. */
export interface RecordScan {
  /** The records of a kind, future ones too: newest first, then by key. Repositories and services have no time, so they come by key. */
  page(approved: ApprovedRepositories, query: ScanQuery, context: ReadContext): Promise<Page<SearchableRecord, TimePosition>>;
  /** The present versions of records, in any order. Those that are not stored or not approved are left out. @param keys at most 1,000, as `keyOfIdentity` returns them */
  byKeys(
    approved: ApprovedRepositories,
    kind: SearchableRecord['kind'],
    keys: readonly string[],
    context: ReadContext,
  ): Promise<readonly SearchableRecord[]>;
  /** The number of approved records of all searchable kinds. It may be off by a few, because records are written meanwhile. */
  count(approved: ApprovedRepositories, context: ReadContext): Promise<number>;
}

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
  /** The repository's stored records of a kind as readers show them, in any order. If the context names a source: only those for which it or no source vouches. */
  ofRepository<Kind extends ScopedKind>(kind: Kind, ref: RepositoryRef, context: CallContext): AsyncIterable<RecordOf<Kind>>;
  sync(id: string, context: ReadContext): Promise<Sync | null>;
  /** All services, sorted by key. */
  services(context: ReadContext): Promise<readonly Service[]>;
  /**
   * The days whose raw checks are stored, by service key, oldest first. A service without such a day is absent. The number of queries must not depend on the number of
   * services or days, and no raw check is read.
   */
  checkedDays(context: ReadContext): Promise<ReadonlyMap<string, readonly CheckedDay[]>>;
  /** The raw checks of one service and UTC day, in any order. */
  checksOf(day: ServiceDay, context: ReadContext): Promise<readonly Check[]>;
  /** Every record of the store, repositories first and checks last: the order that an import needs. */
  records(context: ReadContext): AsyncIterable<StoredRecord>;
  /** The same records as each of their sources says them. If these are put again, each with its source, the store holds the same as before. */
  statements(context: ReadContext): AsyncIterable<StatedRecord>;
}
