import { nearest } from '@vitrine/core';
import type { Violation } from '../../serving/errors.js';

export type ParameterCode =
  | 'INVALID_PARAMETER'
  | 'INVALID_RANGE'
  | 'UNKNOWN_PARAMETER'
  | 'DUPLICATE_PARAMETER'
  | 'EMPTY_PARAMETER'
  | 'MISSING_PARAMETER'
  | 'INVALID_CURSOR'
  | 'BAD_REQUEST';

/** One violated rule about a parameter. */
export type ParameterViolation = Violation<ParameterCode>;

const MAX_ECHO = 64;

/** A client's text, short enough to be repeated in a message: at most 64 characters, without control characters and bidirectional marks. */
function cleaned(text: string): string {
  const points = [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()];
  return points.length <= MAX_ECHO ? points.join('') : `${points.slice(0, MAX_ECHO - 1).join('')}…`;
}

/** A violation, and the place of its parameter in the request. */
export interface PlacedViolation {
  readonly place: number;
  readonly violation: ParameterViolation;
}

export interface RawParameter {
  readonly place: number;
  readonly value: string;
}

/** The known parameters that appear once and are not empty, and the problems of the others. */
export interface RawQuery {
  readonly values: ReadonlyMap<string, RawParameter>;
  readonly violations: readonly PlacedViolation[];
}

/** So many places are looked at; a target of 2,048 characters could hold a thousand. */
const MAX_VIOLATIONS = 100;

/** Reads a query as `URLSearchParams` does, but strictly: broken encoding, unknown, repeated and empty parameters and control characters are violations. */
export function readRawQuery(query: string, allowed: readonly string[]): RawQuery {
  const values = new Map<string, RawParameter>();
  const violations: PlacedViolation[] = [];
  const pairs = query.split('&').filter((pair) => pair !== '');
  for (const [place, pair] of pairs.entries()) {
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const value = decoded(equals < 0 ? '' : pair.slice(equals + 1));
    const violation = violationOf(pair, name, value, allowed, values);
    if (violation === null) values.set(name ?? '', { place, value: value ?? '' });
    else if (violations.length < MAX_VIOLATIONS) violations.push({ place, violation });
  }
  return { values, violations };
}

/** The first pair of each of these names that has a value. */
export function knownPairs(query: string, names: readonly string[]): string {
  const kept = new Map<string, string>();
  for (const pair of query.split('&')) {
    const name = decoded(pair.split('=', 1)[0] ?? '') ?? '';
    if (names.includes(name) && !kept.has(name) && hasValue(pair)) kept.set(name, pair);
  }
  return [...kept.values()].join('&');
}

function hasValue(pair: string): boolean {
  const equals = pair.indexOf('=');
  return equals >= 0 && decoded(pair.slice(equals + 1))?.trim() !== '';
}

function violationOf(
  pair: string,
  name: string | null,
  value: string | null,
  allowed: readonly string[],
  values: ReadonlyMap<string, unknown>,
): ParameterViolation | null {
  if (name === null || value === null) {
    return {
      parameter: cleaned(name ?? pair.split('=', 1)[0] ?? ''),
      in: 'query',
      code: 'BAD_REQUEST',
      detail: 'must be valid percent-encoded UTF-8',
    };
  }
  const at = { parameter: cleaned(name), in: 'query' } as const;
  if (name.trim() === '') return { ...at, code: 'EMPTY_PARAMETER', detail: 'a parameter must have a name' };
  if (!allowed.includes(name)) return { ...at, code: 'UNKNOWN_PARAMETER', detail: unknownDetail(name, allowed), allowed };
  if (values.has(name)) return { ...at, code: 'DUPLICATE_PARAMETER', detail: 'must be given at most once' };
  return valueViolation(at, value);
}

function valueViolation(at: Pick<ParameterViolation, 'parameter' | 'in'>, value: string): ParameterViolation | null {
  if (value.trim() === '') return { ...at, code: 'EMPTY_PARAMETER', detail: 'must not be empty' };
  return /\p{Cc}/u.test(value) ? { ...at, code: 'INVALID_PARAMETER', detail: 'must not contain control characters' } : null;
}

function unknownDetail(name: string, allowed: readonly string[]): string {
  if (allowed.length === 0) return 'is not a parameter of this endpoint, which takes none';
  const near = nearest(name, allowed);
  return `is not a parameter of this endpoint, which takes ${allowed.join(', ')}${near === null ? '' : `; did you mean ${near}?`}`;
}

/** `null` for anything but percent-encoded UTF-8: overlong forms and surrogates are refused too. */
function decoded(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}
