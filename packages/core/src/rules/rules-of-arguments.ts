import { isInstant } from '../kinds/instant.js';
import { nearest, quotable } from './quotable.js';

/** Which values an argument may have. */
export interface Rule {
  readonly accepts: (value: unknown) => boolean;
  /** As it follows `must be`. */
  readonly means: string;
  readonly isRequired?: true;
}

export type RulesOf<Given> = { readonly [Name in keyof Given]-?: Rule };

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Also of a function, such as `Date`, which is a clock. */
export function hasMethod(value: unknown, method: string): boolean {
  return (isObject(value) || typeof value === 'function') && typeof Reflect.get(value, method) === 'function';
}

export function withMethod(method: string): Rule {
  return { accepts: (value) => hasMethod(value, method), means: `an object with the method ${method}` };
}

export function required({ accepts, means }: Rule): Rule {
  return { accepts, means, isRequired: true };
}

/** The compiler checks it, or another rule does. */
export const ANYTHING: Rule = { accepts: () => true, means: 'anything' };
export const TEXT: Rule = { accepts: isText, means: 'a text' };
export const OBJECT: Rule = { accepts: isObject, means: 'an object' };
export const LIST: Rule = { accepts: Array.isArray, means: 'a list' };
export const FLAG: Rule = { accepts: (value) => typeof value === 'boolean', means: 'true or false' };
export const FUNCTION: Rule = { accepts: (value) => typeof value === 'function', means: 'a function' };
/** By their shapes, because a process may have two realms, and two copies of the core. */
export const SIGNAL: Rule = { accepts: (value) => hasMethod(value, 'throwIfAborted'), means: 'an AbortSignal' };
export const PERMISSION: Rule = { accepts: (value) => hasMethod(value, 'admits'), means: 'allowlist.approved()' };
export const CLOCK: Rule = {
  accepts: (value) => hasMethod(value, 'now') && isInstant((value as { readonly now: () => unknown }).now()),
  means: 'an object such as { now: () => Date.now() }, in whole milliseconds',
};

export function wholeUpTo(most: number): Rule {
  const accepts = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
  return { accepts, means: `a whole number from 1 to ${String(most)}` };
}

export function orNull({ accepts, means }: Rule): Rule {
  return { accepts: (value) => value === null || accepts(value), means: `${means}, or null` };
}

/** A value that is `undefined` is as one that was left out. */
export function given<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;
}

type Given<Values> = { readonly [Name in keyof Values]: Exclude<Values[Name], undefined> };

/** The first argument that is wrong or does not exist; `null` if there is none. */
export function mistakeIn(values: Readonly<Record<string, unknown>>, rules: Readonly<Record<string, Rule>>) {
  const known = Object.keys(rules);
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    const hint = near === null ? `Known are: ${known.join(', ') || 'none'}.` : `Did you mean ${near}?`;
    return { name: quotable(unknown), detail: `is not known. ${hint}` };
  }
  const wrong = Object.entries(rules).find(([name, { accepts, isRequired }]) =>
    values[name] === undefined ? isRequired === true : !accepts(values[name]),
  );
  return wrong === undefined ? null : { name: wrong[0], detail: `must be ${wrong[1].means}, not ${shown(values[wrong[0]])}` };
}

/** Refuses wrong options. Without this, a misspelt one would have its default value. @param what the function that takes them */
export function assertOptions<Options extends object>(what: string, options: Options | undefined, rules: RulesOf<Options>): void {
  if (options !== undefined && !isObject(options)) throw new TypeError(`${what} needs an object with options, not ${shown(options)}.`);
  const mistake = mistakeIn({ ...options }, rules);
  if (mistake !== null) throw new TypeError(`${what}: ${mistake.name} ${mistake.detail}`);
}

function shown(value: unknown): string {
  if (isText(value)) return JSON.stringify(quotable(value));
  if (Array.isArray(value)) return `[${quotable(value.filter(isText).join(', '))}]`;
  if (typeof value === 'function') return 'a function';
  return isObject(value) ? 'an object' : quotable(String(value));
}
