import { nearest, quotable } from './quotable.js';

/** What is wrong with the first name of an object that is not known; `null` if all are. Plain JavaScript can pass any. */
export function unknownName(given: object, known: readonly string[]): { readonly name: string; readonly hint: string } | null {
  const found = Object.keys(given).find((key) => !known.includes(key));
  if (found === undefined) return null;
  const near = nearest(found, known);
  const hint = near === null ? `Known are: ${known.join(', ') || 'none'}.` : `Did you mean ${near}?`;
  return { name: quotable(found), hint };
}

/**
 * Refuses options that do not exist: without this, a misspelt one would have its default value.
 *
 * @param what the function that takes the options
 * @throws TypeError
 */
export function assertOptions<Options>(what: string, given: Options, known: Readonly<Record<keyof Options & string, true>>): void {
  if (typeof given !== 'object' || given === null) throw new TypeError(`${what} needs an object with its options.`);
  const unknown = unknownName(given, Object.keys(known));
  if (unknown !== null) throw new TypeError(`${what} has no option ${unknown.name}. ${unknown.hint}`);
}
