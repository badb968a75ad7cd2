import type { Instant } from './instant.js';

/** The position of the last record of a page in time order: its full sort key. */
export interface TimePosition {
  readonly time: Instant;
  /** {@link recordKey} of the record. */
  readonly id: string;
}

/** The position of the last repository of a page. */
export interface NamePosition {
  /** Lower-case `owner/name`. */
  readonly fullName: string;
}

/** The position of the last source of a page. */
export interface SourcePosition {
  /** The source's published id. */
  readonly id: string;
}

/** One page, and the position after which the next page starts; `null` if there is no next page. */
export interface Page<Item, Position> {
  readonly items: readonly Item[];
  readonly next: Position | null;
}

/** Makes a page of `limit` items from a result that was read with `limit + 1`. */
export function pageOf<Item, Position>(found: readonly Item[], limit: number, positionOf: (item: Item) => Position): Page<Item, Position> {
  if (found.length <= limit) return { items: found, next: null };
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last === undefined ? null : positionOf(last) };
}
