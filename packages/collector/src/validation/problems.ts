import { nearest } from '@vitrine/core';
import type { z } from 'zod';

/** One thing that is wrong with an input. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  /** What is wrong, and what would be right. */
  readonly message: string;
}

/** What a failed validation found, one problem for each mistake: a misspelt key is not reported a second time as the missing one. */
export function problemsOf(issues: readonly z.core.$ZodIssue[], input: unknown): readonly Problem[] {
  const found: Problem[] = [];
  const meant = new Set<string>();
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    for (const key of issue.keys) {
      const known = issue.message.split(' ');
      const near = nearest(key, known);
      if (near !== null) meant.add(pathText([...issue.path, near]));
      found.push({ path: [...issue.path, key], message: `is no key here; ${near === null ? `write one of ${known.join(', ')}` : `did you mean ${near}?`}` });
    }
  }
  for (const issue of issues) {
    const path = reachable(issue.path, input);
    const isMeant = meant.has(pathText(path)) && valueAt(input, path) === undefined;
    if (issue.code !== 'unrecognized_keys' && !isMeant) found.push({ path, message: issue.message });
  }
  return found;
}

/** `sources[0].interval` */
export function pathText(path: readonly PropertyKey[]): string {
  return path.map((key, depth) => (typeof key === 'number' ? `[${String(key)}]` : `${depth === 0 ? '' : '.'}${String(key)}`)).join('');
}

/** A schema may read a short form, such as a text that stands for an object; its problems belong to what is written. */
function reachable(path: readonly PropertyKey[], input: unknown): readonly PropertyKey[] {
  const end = path.findIndex((_, depth) => typeof valueAt(input, path.slice(0, depth)) !== 'object');
  return end < 0 ? path : path.slice(0, end);
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}
