import { parseDateTime } from '@vitrine/core';
import { z } from 'zod';
import type { ForgePage } from './forge-dialect.js';
import type { StoredRecord } from '@vitrine/core';

/** Fields of documents that forges send. A field that may be `null` may also be missing. */
export const text = z.string().max(1_000_000);
export const optionalText = text.nullish().transform((value) => value ?? null);
/** Sums of two stay exact. */
export const count = z
  .number()
  .int()
  .nonnegative()
  .max(2 ** 50);
/** The name of a tag. It is a part of ids and addresses, so it cannot be changed. */
export const tagName = z
  .string()
  .regex(/^\S{1,255}$/)
  .refine((name) => name.isWellFormed() && !CONTROLS.test(name));
/** A time that an item cannot do without, as an instant. */
export const time = text.transform((value) => parseDateTime(value)).pipe(z.number());
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value === true);

const CONTROLS = /\p{Cc}/u;

/** No page of a forge has more items. */
const MOST_ITEMS = 1_000;

/** What becomes of one item: its id and its record, if it has one; or `null`, because it must not be shown, such as a draft. */
type Made = { readonly id: string; readonly record: StoredRecord | null } | null;

/** Creates the records of a list. Items that do not have the fields, or have the id of an earlier one, are left out and counted. `null` if it is not a list. */
export function pageOf<Item extends z.ZodType>(list: unknown, item: Item, make: (item: z.output<Item>) => Made): ForgePage | null {
  const read = itemsOf(list, item);
  if (read === null) return null;
  const made = read.items.flatMap((one) => make(one) ?? []);
  const known = new Map<string, (typeof made)[number]>();
  for (const one of made) if (!known.has(one.id)) known.set(one.id, one);
  return {
    records: [...known.values()].flatMap(({ record }) => record ?? []),
    ids: [...known.keys()],
    invalid: read.invalid + made.length - known.size,
  };
}

/** The items of a list that have the fields, and how many have not. `null` if it is not a list. */
export function itemsOf<Item extends z.ZodType>(
  list: unknown,
  item: Item,
): { readonly items: readonly z.output<Item>[]; readonly invalid: number } | null {
  if (!Array.isArray(list)) return null;
  const read = list.slice(0, MOST_ITEMS).map((one: unknown) => item.safeParse(one));
  const items = read.flatMap((result) => (result.success ? [result.data] : []));
  return { items, invalid: read.length - items.length };
}

/** A list that is wrapped in an object, such as `{ total_count, workflow_runs }`. */
export function listIn(json: unknown, key: string): unknown {
  return typeof json === 'object' && json !== null ? Reflect.get(json, key) : null;
}
