import type { StoredList } from './stored-lists.js';
import { repositoryLedKey, timeLedKey } from './stored-lists.js';

/** MongoDB merges so many index scans in order; more become a sort in memory (`internalQueryMaxScansToExplode`). */
export const MAX_MERGED_SCANS = 200;

/** The values that a stored field may have, by the field's path. */
export type FieldValues = ReadonlyMap<string, readonly string[]>;

/** Which index answers a list, and how. */
export interface ListPlan {
  readonly isTimeLed: boolean;
  readonly hint: Readonly<Record<string, 1 | -1>>;
  /** How many scopes one query over the index led by the repository can merge. */
  readonly scopesAtOnce: number;
}

/** The index for a list of so many scopes; the filter that is named first in the list's definition leads. */
export function planList(list: StoredList, scopeCount: number, values: FieldValues): ListPlan {
  const leading = Object.values(list.filters).find((path) => values.has(path)) ?? null;
  const fanOut = leading === null ? 1 : (values.get(leading)?.length ?? 1);
  const scopesAtOnce = Math.floor(MAX_MERGED_SCANS / fanOut);
  const isTimeLed = !list.isScoped || scopeCount > scopesAtOnce;
  return { isTimeLed, hint: isTimeLed ? timeLedKey(list, leading) : repositoryLedKey(list, leading), scopesAtOnce };
}

/** The hint of the index led by the repository, for the same filter. */
export function repositoryLedHint(list: StoredList, values: FieldValues): ListPlan['hint'] {
  return repositoryLedKey(list, Object.values(list.filters).find((path) => values.has(path)) ?? null);
}
