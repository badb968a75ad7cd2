import { parseDateTime, type Instant } from '@vitrine/core';
import { z } from 'zod';
import type { PullRequest } from '../findings/pull-requests.js';

const CONTROLS = /\p{Cc}/u;

/** Fields of documents that forges send. A field that may be `null` may also be missing. */
export const text = z.string().max(1_000_000);
export const optionalText = text.nullish().transform((value) => value ?? null);

export function texts<const Name extends string>(...names: readonly Name[]): Readonly<Record<Name, typeof optionalText>> {
  return Object.fromEntries(names.map((name) => [name, optionalText])) as Record<Name, typeof optionalText>;
}

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

/** Gitea sends the year 1, or the first second of 1970 in its own zone, for times that it does not know. */
const FIRST_KNOWN = Date.UTC(1971, 0);

export function timeIn(text: string | null): Instant | null {
  const time = text === null ? null : parseDateTime(text);
  return time === null || time < FIRST_KNOWN ? null : time;
}

export function fateOf(state: string, isMerged: boolean): PullRequest['fate'] {
  if (isMerged) return 'merged';
  return state === 'closed' ? 'closed' : 'open';
}
