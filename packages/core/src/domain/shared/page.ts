import type { Instant } from './instant.js';

/** Where a page of records in time order ends: the whole key of its last record. */
export interface TimePosition {
  readonly time: Instant;
  /** {@link recordKey} of the record. */
  readonly id: string;
}

/** Where a page of repositories ends. */
export interface NamePosition {
  /** Lower-case `owner/name`. */
  readonly fullName: string;
}

/** Where a page of sources ends. */
export interface SourcePosition {
  /** Its published id. */
  readonly id: string;
}

/** One page, and the position to ask the next one from; `null` when there is none. */
export interface Page<Item, Position> {
  readonly items: readonly Item[];
  readonly next: Position | null;
}

/** Makes a page of `limit` from what a reader found when asked for one record more. */
export function pageOf<Item, Position>(found: readonly Item[], limit: number, positionOf: (item: Item) => Position): Page<Item, Position> {
  if (found.length <= limit) return { items: found, next: null };
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last === undefined ? null : positionOf(last) };
}
