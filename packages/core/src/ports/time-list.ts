import type { Instant } from '../domain/shared/instant.js';
import type { Page, TimePosition } from '../domain/shared/page.js';

/** What every list in time order is asked. Times are closed at both ends. */
export interface TimeListQuery {
  /** 1 to 100: the page's length. Adapters look one record further to know whether there is a next page. */
  readonly limit: number;
  /** The last record of the page before; `null` for the first page. */
  readonly after: TimePosition | null;
  readonly from: Instant | null;
  /** Always given: nothing dated in the future is listed. */
  readonly to: Instant;
}

/** Newest first, then by key. Every page but the last is full: permission and filters are part of the query. */
export type TimePage<Record> = Page<Record, TimePosition>;
