import type { Instant } from './instant.js';

/** The position of the last record of a page in time order: its full sort key. */
export interface TimePosition {
  readonly time: Instant;
  /** `keyOfIdentity` of the record. */
  readonly id: string;
}

/** The position of the last repository of a page. */
export interface NamePosition {
  /** Lower-case `owner/name`. */
  readonly fullName: string;
}

/** The position of the last source, or service, of a page. */
export interface IdPosition {
  /** The published id of the source, or the key of the service. */
  readonly id: string;
}

/** Which page is asked for. */
export interface PageRequest<Position> {
  /** The length of the page, 1 to 100. */
  readonly limit: number;
  /** The position of the last record of the previous page; `null` for the first page. */
  readonly after: Position | null;
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

/** Compares text by its UTF-8 bytes, that is, by code points. `<` gives another result for surrogate pairs and U+E000 to U+FFFF. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return bytesRank(left) - bytesRank(right);
  }
  return a.length - b.length;
}

/** A surrogate is part of a code point above U+FFFF, so it sorts after every other code unit. */
function bytesRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

export interface Warning {
  /** `SOURCE_UNAVAILABLE`: a part could not be read. `SOURCE_INCOMPLETE` and `SOURCE_LATE`: how current the stored records are. `SEARCH_INCOMPLETE`: not all records can be found yet. `UNKNOWN_VALUE`: a filter has a value that is not documented. */
  readonly code: string;
  /** A kind of record, never a repository. */
  readonly source: string;
  readonly detail: string;
}

/** A function that calculates each result once. @param most the number of results that it keeps; before it keeps one more, it drops all of them */
export function remembered<Key, Value>(most: number, make: (key: Key) => Value): (key: Key) => Value {
  const results = new Map<Key, Value>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    if (results.size >= most) results.clear();
    const result = make(key);
    results.set(key, result);
    return result;
  };
}

/** Parts of at most `size` items. */
export function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** The items with the same key, in their order. */
export function grouped<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** A value that the records of a list must have, or several of which they must have one; `null` means any. An empty list of values matches no record. */
export type FilterValue = string | readonly string[] | null;

/** The accepted values of a filter; `null` means any. */
export function acceptedValues(value: FilterValue | undefined): readonly string[] | null {
  return typeof value === 'string' ? [value] : (value ?? null);
}
