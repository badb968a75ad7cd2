import { z } from 'zod';
import { show } from './show.js';

/** Why a value is invalid. The reason completes a sentence that starts with the value. */
export class Refusal {
  constructor(readonly reason: string) {}
}

/**
 * The schema of one value. Its messages have the problem and the remedy: `"5 minuts" is not a duration; write 30s, 5m or 8h`.
 *
 * @param write the remedy; follows the word "write"
 * @param parse returns the parsed value, or a {@link Refusal} whose reason follows the value in the message
 */
export function leaf<Value>(write: string, parse: (value: unknown) => Value | Refusal): z.ZodType<Value> {
  return z.unknown().transform((value, context): Value => {
    const parsed = value === undefined || value === null ? new Refusal('') : parse(value);
    if (!(parsed instanceof Refusal)) return parsed;
    context.issues.push({ code: 'custom', message: `${wrong(value, parsed.reason)}; write ${write}`, input: value });
    return z.NEVER;
  });
}

/** A leaf whose value may be private, such as texts, ids and URLs of records. Its messages do not show the value. */
export function privateLeaf<Value>(write: string, parse: (value: unknown) => Value | Refusal): z.ZodType<Value> {
  return z.unknown().transform((value, context): Value => {
    const parsed = value === undefined || value === null ? new Refusal('') : parse(value);
    if (!(parsed instanceof Refusal)) return parsed;
    const problem = parsed.reason === '' ? wrong(value, '') : parsed.reason;
    context.issues.push({ code: 'custom', message: `${problem}; write ${write}`, input: null });
    return z.NEVER;
  });
}

/** A leaf whose value may contain a password. Its messages do not show the value. */
export function secretLeaf<Value>(write: string, parse: (value: unknown) => Value | null): z.ZodType<Value> {
  return z.unknown().transform((value, context): Value => {
    const parsed = parse(value);
    if (parsed !== null) return parsed;
    const problem = value === undefined || value === null ? wrong(value, '') : 'is none';
    context.issues.push({ code: 'custom', message: `${problem}; write ${write}`, input: null });
    return z.NEVER;
  });
}

/** A leaf that may also be `null`. */
export function leafOrNull<Value>(write: string, parse: (value: unknown) => Value | Refusal): z.ZodType<Value | null> {
  return leaf(`${write}, or null`, parse).nullable();
}

/** The first part of a message: that the value is missing, or the value and the reason. */
export function wrong(value: unknown, reason: string): string {
  if (value === undefined) return 'is missing';
  return value === null ? 'is null' : `${show(value)} ${reason}`;
}
