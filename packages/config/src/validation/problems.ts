import { nearest, quotable } from '@vitrine/core';
import type { z } from 'zod';

/** One problem of an input. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  /** What is wrong, and how to fix it. */
  readonly message: string;
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
