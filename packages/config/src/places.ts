import { parseRepositoryName } from '@vitrine/core';
import { sameName } from './config-fields.js';
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
  return [{ path, text, same: parseRepositoryName(text) === null ? text : sameName(text) }];
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

export function entriesOf(value: unknown, key: string): readonly unknown[] {
  const list = at(value, key);
  return Array.isArray(list) ? list : [];
}

/** The value of an own key; `undefined` without one. */
export function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** A token must not be sent in clear text, except within a private network. @param path that of the entry with the keys `api`, `token` and `allowPrivate` */
export function plainTokenProblems(entry: unknown, path: readonly PropertyKey[]): readonly Problem[] {
  const [api, token] = [at(entry, 'api'), at(entry, 'token')];
  const isPlain = typeof api === 'string' && /^http:/i.test(api);
  if (!isPlain || token === undefined || at(entry, 'allowPrivate') === true) return [];
  return [{ path: [...path, 'token'], message: 'would be sent without encryption, because api begins with http:; write an https address' }];
}
