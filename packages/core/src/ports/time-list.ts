import type { Instant } from '../domain/shared/instant.js';
import type { Page, TimePosition } from '../domain/shared/page.js';

/** The query of every list in time order. `from` and `to` are inclusive. */
export interface TimeListQuery {
  /** The length of the page, 1 to 100. Adapters read `limit + 1` records to know whether there is a next page. */
  readonly limit: number;
  /** The position of the last record of the previous page; `null` for the first page. */
  readonly after: TimePosition | null;
  readonly from: Instant | null;
  /** Always present, because no list contains records with a future time. */
  readonly to: Instant;
}

/** Newest first, then by key. Every page but the last is full: permission and filters are part of the query. */
export type TimePage<Record> = Page<Record, TimePosition>;
