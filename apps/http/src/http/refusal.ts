import type { ProblemCode } from './problem-codes.js';

/** One broken rule of a request. Beside its text it carries the limits that the text speaks of. */
export interface Violation {
  readonly parameter: string;
  readonly in: 'query' | 'path';
  readonly code: ProblemCode;
  /** What holds for the parameter, to be read after its name: "must be an integer from 1 to 100". */
  readonly detail: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly allowed?: readonly string[];
}

/** A request that gets no data: what the error mapper makes of any failure, and what becomes a problem document. */
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

  /** All violations at once. The first one names the problem. */
  static ofViolations(violations: readonly [Violation, ...Violation[]]): Refusal {
    const detail = violations.map((violation) => `${violation.parameter} ${violation.detail}`.trim()).join('; ');
    return new Refusal(violations[0].code, detail.endsWith('?') ? detail : `${detail}.`, violations);
  }
}
