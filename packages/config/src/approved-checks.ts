import { sameName } from './config-fields.js';
import { at, entriesOf, placeOf, repeated, textsAt, type Place } from './places.js';
import { type Problem, show } from './validation/problems.js';

/** Rules within the allowlist. */
export function crossCheckApproved(value: unknown): readonly Problem[] {
  return [...repeated(approvedNames(value)), ...repeated(patternPlaces(value))];
}

/** Two patterns of one owner on one server read the same list. */
function patternPlaces(value: unknown): readonly Place[] {
  return textsAt(value, 'approved', 'github').map(({ path, text }) => {
    const api = at(entriesOf(value, 'approved')[Number(path[1])], 'api');
    return { path, text, same: `${sameName(text)} ${typeof api === 'string' ? api : ''}` };
  });
}

/** What a pattern excepts is not shown, also if it is named. A running server obeys that at once; here it is reported. */
export function contradictions(value: unknown): readonly Problem[] {
  const named = new Set(approvedNames(value).map(({ same }) => same));
  return entriesOf(value, 'approved').flatMap((entry, index) => {
    const places = entriesOf(entry, 'except').flatMap((name, place) => placeOf(name, ['approved', index, 'except', place]));
    const contradicting = places.filter(({ same }) => named.has(same));
    return contradicting.map(({ path, text }) => ({ path, message: `${show(text)} has an entry of its own in approved; remove one of the two` }));
  });
}

/** The repositories that are named. */
export function approvedNames(value: unknown): readonly Place[] {
  const plain = entriesOf(value, 'approved').flatMap((entry, index) => placeOf(entry, ['approved', index]));
  return [...plain, ...textsAt(value, 'approved', 'name')];
}
