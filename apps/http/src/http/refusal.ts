import type { ProblemCode } from './problem-codes.js';

/** One violated rule of a request: a text, and the limits in it as values. */
export interface Violation {
  readonly parameter: string;
  readonly in: 'query' | 'path';
  readonly code: ProblemCode;
  /** The text that follows the parameter's name: "must be an integer from 1 to 100". */
  readonly detail: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly allowed?: readonly string[];
}

/** An error response. The error mapper turns any failure into a refusal, and a refusal is sent as a problem document. */
export class Refusal extends Error {
  constructor(
    readonly code: ProblemCode,
    detail: string,
    readonly violations: readonly Violation[] = [],
    /** Further response headers, such as `Allow`. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.name = 'Refusal';
  }

  /** A refusal with all violations. The first one decides the problem code. */
  static ofViolations(violations: readonly [Violation, ...Violation[]]): Refusal {
    const detail = violations.map((violation) => `${violation.parameter} ${violation.detail}`.trim()).join('; ');
    return new Refusal(violations[0].code, detail.endsWith('?') ? detail : `${detail}.`, violations);
  }
}
