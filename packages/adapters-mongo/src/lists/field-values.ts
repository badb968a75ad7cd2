import { acceptedValues, holdsEmail, type FilterValue } from '@vitrine/core';
import type { FieldValues } from './list-plan.js';
import type { StoredList } from './stored-lists.js';

/**
 * The stored fields that a query restricts, by the name of the filter; `null` means no restriction. A value with an e-mail address matches nothing:
 * another collector may have stored such an address, and a record must not be found by a value that it does not show.
 */
export function fieldValues<Name extends string>(
  { filters }: { readonly filters: Readonly<Record<Name, string>> } & StoredList,
  wanted: Readonly<Record<Name, FilterValue>>,
): FieldValues {
  const values = new Map<string, readonly string[]>();
  for (const [name, path] of Object.entries<string>(filters)) {
    const accepted = acceptedValues(wanted[name as Name]);
    if (accepted === null) continue;
    values.set(
      path,
      accepted.filter((one) => !holdsEmail(one)),
    );
  }
  return values;
}
