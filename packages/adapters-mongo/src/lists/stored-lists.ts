import { KINDS, LISTED_KINDS, type ListedKind, type PluralOf } from '@vitrine/core';
import type { Document } from 'mongodb';

export interface StoredList {
  readonly collection: PluralOf<ListedKind>;
  /** The stored date that orders the list. */
  readonly time: string;
  readonly isScoped: boolean;
  /** The stored field of each filter. The most selective filter comes first: it leads when several are asked for. */
  readonly filters: Readonly<Record<string, string>>;
}

/** Follows from the facts of the kind. A kind with several times has the first known one as a derived field, and commits have one for their authors. */
function listOf(kind: ListedKind): StoredList {
  const { plural, ownership, times, filters } = KINDS[kind];
  const paths = Object.entries<string>(filters).map(([name, path]) => [name, path === 'author' ? 'authorKeys' : path] as const);
  return {
    collection: plural,
    time: times.length === 1 ? times[0] : 'listedAt',
    isScoped: ownership !== 'never',
    filters: Object.fromEntries(paths),
  };
}

export const LISTS = Object.fromEntries(LISTED_KINDS.map((kind) => [kind, listOf(kind)])) as Readonly<Record<ListedKind, StoredList>>;

type IndexKey = Readonly<Record<string, 1 | -1>>;

/** The index that merges the lists of at most 200 repositories. */
export function repositoryLedKey({ time }: StoredList, filter: string | null): IndexKey {
  return { repositoryRef: 1, ...led(filter), [time]: -1, _id: 1 };
}

/** The index that walks the list of everything; whose it is stands in its keys, so that hidden records are passed without being fetched. */
function timeLedKey({ time, isScoped }: StoredList, filter: string | null): IndexKey {
  return { ...led(filter), [time]: -1, _id: 1, ...(isScoped ? { repositoryRef: 1 } : {}) };
}

/** Stages that find the newest record of each repository: `{ _id: repositoryRef, time, id }`, in the order of an index, so that the server can jump to the next one. */
export function newestOfEach({ time }: StoredList, index: IndexKey): readonly Document[] {
  return [{ $sort: index }, { $group: { _id: '$repositoryRef', time: { $first: `$${time}` }, id: { $first: '$_id' } } }];
}

function led(filter: string | null): IndexKey {
  return filter === null ? {} : { [filter]: 1 };
}

/** Every index that a list needs: for each filter, and for none. */
export function listIndexKeys(list: StoredList): readonly IndexKey[] {
  const led = [null, ...Object.values(list.filters)];
  return led.flatMap((filter) => [...(list.isScoped ? [repositoryLedKey(list, filter)] : []), timeLedKey(list, filter)]);
}

/** MongoDB merges this many index scans in order. With more, it sorts in memory (`internalQueryMaxScansToExplode`). */
export const MAX_MERGED_SCANS = 200;

export type FieldValues = ReadonlyMap<string, readonly string[]>;

export type ListPlan = ReturnType<typeof planList>;

/** Chooses the index for a list with this number of scopes. If several filters have an index, the first one in the list's definition wins. */
export function planList(list: StoredList, scopeCount: number, values: FieldValues) {
  const leading = Object.values(list.filters).find((path) => values.has(path)) ?? null;
  const fanOut = leading === null ? 1 : (values.get(leading)?.length ?? 1);
  const scopesAtOnce = Math.max(1, Math.floor(MAX_MERGED_SCANS / fanOut));
  return {
    /** The field of the filter that leads the indexes; `null` for the list without a filter. */
    leading,
    /** Whether the first record of each scope is found by a single seek. */
    isSeekable: [...values.values()].flat().length < 2,
    /** Whether the index that starts with the time is tried first. */
    isTimeLed: !list.isScoped || scopeCount > scopesAtOnce,
    timeLed: timeLedKey(list, leading),
    repositoryLed: repositoryLedKey(list, leading),
    /** How many scopes one query can merge if it uses the index that starts with the repository. */
    scopesAtOnce,
  };
}
