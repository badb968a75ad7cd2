import { DAY, HOUR, MINUTE, SECOND } from '@vitrine/core';
import { leaf, Refusal } from './validation/problems.js';

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', SECOND],
  ['m', MINUTE],
  ['h', HOUR],
  ['d', DAY],
]);

/** The shortest and the longest interval of a source or a check. */
export const INTERVALS = ['10s', '8h'] as const;

/** Converts a text such as `500ms`, `30s`, `5m`, `8h` or `400d` to milliseconds; `null` if it is not a duration. */
export function parseDuration(text: string): number | null {
  const parts = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  return parts === null ? null : Number(parts[1]) * (UNITS.get(parts[2] ?? '') ?? 0);
}

/** A message names those that are within the limits. */
const EXAMPLES = ['30s', '5m', '8h', '400d'];
const MOST_EXAMPLES = 3;

/** As in `a, b or c`. With `Intl.ListFormat`, each process would load the data of languages when it starts. */
function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' or ');
}

/** The schema of a duration within limits. The limits are written as in the file. */
export function duration(least: string, most: string) {
  const minimum = parseDuration(least) ?? 0;
  const maximum = parseDuration(most) ?? Infinity;
  const isWithin = (milliseconds: number): boolean => milliseconds >= minimum && milliseconds <= maximum;
  const examples = EXAMPLES.filter((text) => isWithin(parseDuration(text) ?? 0)).slice(0, MOST_EXAMPLES);
  return leaf(`a number and a unit, such as ${listed(examples)}, from ${least} to ${most}`, (value) => {
    const milliseconds = typeof value === 'string' ? parseDuration(value) : null;
    if (milliseconds === null) return new Refusal('is not a duration');
    return isWithin(milliseconds) ? milliseconds : new Refusal('is out of range');
  });
}
