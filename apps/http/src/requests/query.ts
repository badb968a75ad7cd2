import type { Instant } from '@vitrine/core';
import { CursorText, DEFAULT_LIMIT, Limit } from './parameters.js';
import { endOf, startOf } from './time-range.js';

/** Query parameters as validated text. Absent ones are `undefined`. */
export abstract class Query {
  /** The part of the use case's input that selects records, normalised: cursors are bound to it. */
  abstract filters(): object;
}

/** For endpoints that take no parameters. */
export class NoQuery extends Query {
  override filters(): object {
    return {};
  }
}

/** For lists. */
export abstract class PageQuery extends Query {
  @Limit() readonly limit?: string;
  @CursorText() readonly cursor?: string;

  pageSize(): number {
    return this.limit === undefined ? DEFAULT_LIMIT : Number(this.limit);
  }
}

/** For lists without filters. */
export class PlainPageQuery extends PageQuery {
  override filters(): object {
    return {};
  }
}

export interface TimeRange {
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/** The range of a query, both ends in it; `null` where it is open. */
export function timeRange(query: { readonly from?: string | undefined; readonly to?: string | undefined }): TimeRange {
  return { from: query.from === undefined ? null : startOf(query.from), to: query.to === undefined ? null : endOf(query.to) };
}
