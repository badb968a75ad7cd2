import { z } from 'zod';
import { show } from './show.js';

/** What is wrong with a value, as the end of a sentence that begins with it. */
export class Refusal {
  constructor(readonly reason: string) {}
}

/**
 * A schema of one value whose every refusal says what is wrong and what would be right: `"5 minuts" is no duration; write 30s, 5m or 8h`.
 *
 * @param write what would be right, after the word "write"
 * @param parse the value, or a {@link Refusal} whose reason follows the value shown
 */
export function leaf<Value>(write: string, parse: (value: unknown) => Value | Refusal): z.ZodType<Value> {
  return z.unknown().transform((value, context): Value => {
    const parsed = value === undefined || value === null ? new Refusal('') : parse(value);
    if (!(parsed instanceof Refusal)) return parsed;
    context.issues.push({ code: 'custom', message: `${wrong(value, parsed.reason)}; write ${write}`, input: value });
    return z.NEVER;
  });
}

/** A leaf whose value may be private, such as the texts, ids and addresses of records: its refusals say what is wrong, and do not show it. */
export function privateLeaf<Value>(write: string, parse: (value: unknown) => Value | Refusal): z.ZodType<Value> {
  return z.unknown().transform((value, context): Value => {
    const parsed = value === undefined || value === null ? new Refusal('') : parse(value);
    if (!(parsed instanceof Refusal)) return parsed;
    const problem = parsed.reason === '' ? wrong(value, '') : parsed.reason;
    context.issues.push({ code: 'custom', message: `${problem}; write ${write}`, input: null });
    return z.NEVER;
  });
}

/** A leaf whose value may hold a password: its refusals do not show it. */
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

/** What is wrong with a value: that it is not there, or the reason. */
export function wrong(value: unknown, reason: string): string {
  if (value === undefined) return 'is missing';
  return value === null ? 'is null' : `${show(value)} ${reason}`;
}
