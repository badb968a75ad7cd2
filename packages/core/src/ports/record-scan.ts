import type { SearchableRecord } from '../domain/search/searchable-record.js';
import type { Page, TimePosition } from '../domain/shared/page.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';

export interface ScanQuery {
  readonly kind: SearchableRecord['kind'];
  /** 1 to 1,000. */
  readonly limit: number;
  /** What the page before returned as `next`; `null` for the first page. */
  readonly after: TimePosition | null;
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
