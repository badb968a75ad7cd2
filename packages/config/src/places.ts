import { asciiLowerCase, parseRepositoryName } from '@vitrine/core';
import { type Problem, show } from './validation/problems.js';

/** A text in the raw value of the file. */
export interface Place {
  readonly path: readonly PropertyKey[];
  readonly text: string;
  /** The form in which two values are compared. */
  readonly same: string;
}

export function textsAt(value: unknown, list: string, key: string): readonly Place[] {
  return entriesOf(value, list).flatMap((entry, index) => placeOf(at(entry, key), [list, index, key]));
}

export function placeOf(text: unknown, path: readonly PropertyKey[]): readonly Place[] {
  if (typeof text !== 'string') return [];
  return [{ path, text, same: parseRepositoryName(text) === null ? text : asciiLowerCase(text) }];
}

/** Repository names are compared without case, all other values exactly. */
export function repeated(
  places: readonly Place[],
  messageOf = ({ text }: Place) => `${show(text)} appears twice; write it once`,
): readonly Problem[] {
  const seen = new Set<string>();
  return places.flatMap((place) => {
    const isFirst = !seen.has(place.same);
    seen.add(place.same);
    return isFirst ? [] : [{ path: place.path, message: messageOf(place) }];
  });
}

/** What is wrong with the keys of one entry, by key; `false`: nothing. */
export type Findings = readonly (readonly [key: string, message: string | false])[];

export function problemsIn(value: unknown, list: string, findingsOf: (entry: unknown) => Findings): readonly Problem[] {
  return entriesOf(value, list).flatMap((entry, index) =>
    findingsOf(entry).flatMap(([key, message]) => (message === false ? [] : { path: [list, index, key], message })),
  );
}

export function entriesOf(value: unknown, key: string): readonly unknown[] {
  const list = at(value, key);
  return Array.isArray(list) ? list : [];
}

/** The value of an own key; `undefined` without one. */
export function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
