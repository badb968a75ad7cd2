import { quotable, nearest } from '@vitrine/core';
import { z } from 'zod';

const LONGEST = 60;

/** An invalid value in the form that a message may show: short, on one line, without credentials and e-mail addresses. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(quotable(withoutUser(value))) : String(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}

/** The whole text is one value, so the password ends before the last `@`, even if it contains others. */
function withoutUser(text: string): string {
  const start = text.indexOf('://') + '://'.length;
  const end = text.lastIndexOf('@');
  return start >= '://'.length && end >= start ? `${text.slice(0, start)}…${text.slice(end)}` : text;
}

export interface Problem {
  readonly path: readonly PropertyKey[];
  /** What is wrong, and how to fix it. */
  readonly message: string;
}

/** The configuration is invalid. The message has one line for each problem. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}

/** Unknown keys after this number get no suggestion. People do not misspell so many, and each suggestion takes time. */
const MOST_SUGGESTIONS = 20;

/** The problems of a failed validation, one for each mistake: a misspelt key is not reported again as a missing key. */
export function problemsOf(issues: readonly z.core.$ZodIssue[], input: unknown): readonly Problem[] {
  const meant = new Set<string>();
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key, index) => unknownKey(issue, key, index < MOST_SUGGESTIONS ? meant : null)) : [],
  );
  const others = issues
    .filter((issue) => issue.code !== 'unrecognized_keys')
    .map(({ path, message }) => ({ path: reachable(path, input), message }))
    .filter(({ path }) => !(meant.has(pathText(path)) && valueAt(input, path) === undefined));
  return [...unknown, ...others];
}

/** @param meant collects the keys that were probably meant; `null`: make no suggestion */
function unknownKey({ path, message }: z.core.$ZodIssue, key: string, meant: Set<string> | null): Problem {
  const known = message.split(' ');
  const near = meant === null ? null : nearest(key, known);
  if (near !== null) meant?.add(pathText([...path, near]));
  return { path: [...path, key], message: `is not a key here; ${near === null ? `write one of ${known.join(', ')}` : `did you mean ${near}?`}` };
}

/** The path as text, such as `sources[0].interval`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.map((key, depth) => (typeof key === 'number' ? `[${String(key)}]` : `${depth === 0 ? '' : '.'}${quotable(String(key))}`)).join('');
}

/** A schema may accept a short form, such as a text instead of an object. Then its problems are reported for the text. */
function reachable(path: readonly PropertyKey[], input: unknown): readonly PropertyKey[] {
  const end = path.findIndex((_, depth) => typeof valueAt(input, path.slice(0, depth)) !== 'object');
  return end < 0 ? path : path.slice(0, end);
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}

/** The schema of an object that rejects unknown keys. */
export function object<Shape extends z.core.$ZodShape>(what: string, shape: Shape) {
  const known = Object.keys(shape).join(' ');
  // The message of an unknown key is the list of known keys. `problemsOf` uses it to suggest the nearest one.
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') return known;
      // As in `title:Acme`, but not in an address.
      const [, name = ''] = typeof issue.input === 'string' ? (/^(\w+):(?!\/\/)/.exec(issue.input) ?? []) : [];
      const isJoined = Object.hasOwn(shape, name);
      return `${wrong(issue.input, isJoined ? 'has no space after its colon' : 'is not an object')}; write ${what}`;
    },
  });
}

/** The schema of a list of at least `least` and at most `most` items. */
export function list<Item extends z.core.SomeType>(what: string, item: Item, most: number, least = 0) {
  const error = (reason: string) => ({ error: `${reason}; write ${what}` });
  return z
    .array(item, { error: (issue) => `${wrong(issue.input, 'is not a list')}; write ${what}` })
    .min(least, error('is empty'))
    .max(most, error(`has more than ${String(most)} entries`));
}

/** Parses a value with another schema, and adds that schema's problems to this one. */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, context: z.core.$RefinementCtx): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const { message, path, ...issue } of result.error.issues) {
    const place = { message, path: [...path] };
    context.issues.push(
      issue.code === 'unrecognized_keys' ? { code: issue.code, keys: issue.keys, input: {}, ...place } : { code: 'custom', input: value, ...place },
    );
  }
  return z.NEVER;
}

/** Why a value is invalid. The reason completes a sentence that starts with the value. */
export class Refusal {
  constructor(readonly reason: string) {}
}

/**
 * The schema of one value. Its messages have the problem and the remedy: `"5 minuts" is not a duration; write 30s, 5m or 8h`.
 *
 * @param write the remedy; follows the word "write"
 * @param parse returns the parsed value, or a {@link Refusal} whose reason follows the value in the message
 * @param isPrivate whether the value may be private, such as texts, ids, URLs and passwords. Then messages do not show it
 */
export function leaf<Value>(write: string, parse: (value: unknown) => Value | Refusal, isPrivate = false): z.ZodType<Value> {
  return z.unknown().transform((value, context): Value => {
    const isMissing = value === undefined || value === null;
    const parsed = isMissing ? new Refusal('') : parse(value);
    if (!(parsed instanceof Refusal)) return parsed;
    const problem = isPrivate && !isMissing ? parsed.reason : wrong(value, parsed.reason);
    context.issues.push({ code: 'custom', message: `${problem}; write ${write}`, input: isPrivate ? null : value });
    return z.NEVER;
  });
}

/** A leaf for texts that meet a condition. @param reason why others do not */
export function textLeaf(write: string, reason: string, accepts: (text: string) => boolean, isPrivate = false): z.ZodType<string> {
  return leaf(write, (value) => (typeof value === 'string' && accepts(value) ? value : new Refusal(reason)), isPrivate);
}

export function privateLeaf<Value>(write: string, parse: (value: unknown) => Value | Refusal): z.ZodType<Value> {
  return leaf(write, parse, true);
}

export function privateText(write: string, reason: string, accepts: (text: string) => boolean): z.ZodType<string> {
  return textLeaf(write, reason, accepts, true);
}

/** The schema of a key that may be left out, which gives `null`. The file cannot write `null` itself. */
export function orNull<Value>(schema: z.ZodType<Value>) {
  return schema.optional().transform((value) => value ?? null);
}

/** A leaf that may also be `null`. */
export function leafOrNull<Value>(write: string, parse: (value: unknown) => Value | Refusal): z.ZodType<Value | null> {
  return leaf(`${write}, or null`, parse).nullable();
}

export function wrong(value: unknown, reason: string): string {
  if (value === undefined) return 'is missing';
  return value === null ? 'is null' : `${show(value)} ${reason}`;
}

/** An authority without user info, then any characters except white space. */
const SHAPE = /^https?:\/\/[^/?#\\\s@]+(?:[/?#]\S*)?$/i;
const MAX_LENGTH = 2_048;

/** Whether the text is an absolute http or https address of at most 2,048 characters without user name and password. */
export function isWebAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && SHAPE.test(text) && URL.canParse(text);
}
