import { type StoredList, repositoryLedKey, timeLedKey } from './stored-lists.js';

/** MongoDB merges this many index scans in order. With more, it sorts in memory (`internalQueryMaxScansToExplode`). */
export const MAX_MERGED_SCANS = 200;

/** The values that a stored field may have, by the field's path. */
export type FieldValues = ReadonlyMap<string, readonly string[]>;

/** The index for a list, and how to use it. */
export interface ListPlan {
  readonly isTimeLed: boolean;
  readonly hint: Readonly<Record<string, 1 | -1>>;
  /** How many scopes one query can merge if it uses the index that starts with the repository. */
  readonly scopesAtOnce: number;
}

/** Chooses the index for a list with this number of scopes. If several filters have an index, the first one in the list's definition wins. */
export function planList(list: StoredList, scopeCount: number, values: FieldValues): ListPlan {
  const leading = Object.values(list.filters).find((path) => values.has(path)) ?? null;
  const fanOut = leading === null ? 1 : (values.get(leading)?.length ?? 1);
  const scopesAtOnce = Math.floor(MAX_MERGED_SCANS / fanOut);
  const isTimeLed = !list.isScoped || scopeCount > scopesAtOnce;
  return { isTimeLed, hint: isTimeLed ? timeLedKey(list, leading) : repositoryLedKey(list, leading), scopesAtOnce };
}

/** The hint for the index that starts with the repository, with the same filter. */
export function repositoryLedHint(list: StoredList, values: FieldValues): ListPlan['hint'] {
  return repositoryLedKey(list, Object.values(list.filters).find((path) => values.has(path)) ?? null);
}
