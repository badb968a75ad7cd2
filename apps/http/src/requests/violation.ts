export type ParameterCode =
  | 'INVALID_PARAMETER'
  | 'INVALID_RANGE'
  | 'UNKNOWN_PARAMETER'
  | 'DUPLICATE_PARAMETER'
  | 'EMPTY_PARAMETER'
  | 'MISSING_PARAMETER'
  | 'INVALID_CURSOR'
  | 'BAD_REQUEST';

/** The figures that a violated rule speaks of; they stand beside its text. */
export interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly allowed?: readonly string[];
}

/** One broken rule of a request. */
export interface Violation extends Limits {
  readonly parameter: string;
  readonly in: 'query' | 'path';
  readonly code: ParameterCode;
  /** What holds for the parameter, to be read after its name. */
  readonly detail: string;
}

const MAX_ECHO = 64;

/** What is repeated of a client's text: at most 64 characters, without controls, bidirectional marks and the like. */
export function cleaned(text: string): string {
  const points = [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()];
  return points.length <= MAX_ECHO ? points.join('') : `${points.slice(0, MAX_ECHO - 1).join('')}…`;
}
