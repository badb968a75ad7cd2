import type { FieldValues } from './list-plan.js';
import type { StoredList } from './stored-lists.js';

/** The stored fields that a query restricts, from its filters by name; `null` restricts nothing. */
export function fieldValues<Name extends string>(
  { filters }: { readonly filters: Readonly<Record<Name, string>> } & StoredList,
  wanted: Readonly<Record<Name, string | readonly string[] | null>>,
): FieldValues {
  const values = new Map<string, readonly string[]>();
  for (const [name, path] of Object.entries<string>(filters)) {
    const value = wanted[name as Name];
    if (value !== null) values.set(path, typeof value === 'string' ? [value] : value);
  }
  return values;
}
