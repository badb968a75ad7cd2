import { z } from 'zod';
import type { ForgePage } from './forge-dialect.js';
import type { StoredRecord } from '@vitrine/core';

/** Fields of documents that forges send. A field that may be `null` may also be missing. */
export const text = z.string().max(1_000_000);
export const optionalText = text.nullish().transform((value) => value ?? null);
export const count = z.number().int().nonnegative();
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value === true);

/** No page of a forge has more items. */
const MOST_ITEMS = 1_000;

/** What becomes of one item: its id and its record, if it has one; or `null`, because it must not be shown, such as a draft. */
type Made = { readonly id: string; readonly record: StoredRecord | null } | null;

/** Creates the records of a list. Items that do not have the fields are left out and counted. `null` if it is not a list. */
export function pageOf<Item extends z.ZodType>(list: unknown, item: Item, make: (item: z.output<Item>) => Made): ForgePage | null {
  if (!Array.isArray(list)) return null;
  const read = list.slice(0, MOST_ITEMS).map((one: unknown) => item.safeParse(one));
  const made = read.flatMap((result) => (result.success ? (make(result.data) ?? []) : []));
  return {
    records: made.flatMap(({ record }) => record ?? []),
    ids: made.map(({ id }) => id),
    invalid: read.filter(({ success }) => !success).length,
  };
}

/** A list that is wrapped in an object, such as `{ total_count, workflow_runs }`. */
export function listIn(json: unknown, key: string): unknown {
  return typeof json === 'object' && json !== null ? Reflect.get(json, key) : null;
}
