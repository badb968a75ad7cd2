import { InvalidInputError, NotFoundError, UnavailableError } from '@vitrine/core';
import { ERROR_META, UNAVAILABLE_META } from './envelope.js';

/** What each problem code means. Clients rely on the code. No other place has status codes of errors. */
export const PROBLEMS = {
  INVALID_PARAMETER: {
    status: 400,
    title: 'A request parameter is not valid',
    text: 'A parameter has a value that the endpoint does not take. `errors` names each one and its limits.',
  },
  INVALID_RANGE: { status: 400, title: 'A time range is not valid', text: '`from` is later than `to`. Both ends belong to the range.' },
  UNKNOWN_PARAMETER: {
    status: 400,
    title: 'A request parameter is not known',
    text: 'The endpoint takes no parameter of that name. `errors` lists the names that it takes.',
  },
  DUPLICATE_PARAMETER: { status: 400, title: 'A request parameter is given twice', text: 'Each parameter may stand once in a request.' },
  EMPTY_PARAMETER: { status: 400, title: 'A request parameter is empty', text: 'A parameter has no name or no value. Leave it out instead.' },
  MISSING_PARAMETER: {
    status: 400,
    title: 'A required request parameter is missing',
    text: 'The endpoint cannot answer without the parameters that `errors` names.',
  },
  INVALID_CURSOR: {
    status: 400,
    title: 'The cursor is not valid',
    text: 'A cursor is taken unchanged from `meta.nextCursor` of an answer of the same endpoint.',
  },
  CURSOR_MISMATCH: {
    status: 400,
    title: 'The cursor belongs to other filters',
    text: 'A cursor continues the list that it came from: repeat its filters. Only `limit` may change.',
  },
  BODY_NOT_ALLOWED: {
    status: 400,
    title: 'A request body is not allowed',
    text: 'Every operation is a read; send no body and no Transfer-Encoding.',
  },
  BAD_REQUEST: {
    status: 400,
    title: 'The request cannot be understood',
    text: 'The message is not valid HTTP, names no or several hosts, or its address is not valid percent-encoded UTF-8.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'There is no such public record',
    text: 'The record does not exist or is not public; the answer is the same in both cases.',
  },
  ROUTE_NOT_FOUND: { status: 404, title: 'There is no such address', text: 'The service answers other addresses; /openapi.json lists them.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The method is not allowed',
    text: 'The service is read-only: GET, HEAD and OPTIONS, as the header Allow says.',
  },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive', text: 'The headers of a request must be complete within 5 seconds.' },
  URI_TOO_LONG: { status: 414, title: 'The address is too long', text: 'An address may be 2,048 characters long.' },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    text: 'A client may send a limited number of requests a minute, and fewer searches. Try again after the seconds that the header Retry-After names.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'The request headers are too large',
    text: 'The address and the headers of a request may be 8 KiB long together.',
  },
  INTERNAL: {
    status: 500,
    title: 'Something went wrong here',
    text: 'An error of the service. The request id in `instance` helps its operators to find it.',
  },
  SOURCE_UNAVAILABLE: {
    status: 503,
    title: 'The data cannot be read at the moment',
    text: 'Try again after the seconds that the header Retry-After names.',
  },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

export function problemOfSlug(slug: string): ProblemCode | null {
  return PROBLEM_CODES.find((code) => slugOf(code) === slug) ?? null;
}

export const PROBLEM_CODES = Object.keys(PROBLEMS).filter((key): key is ProblemCode => key in PROBLEMS);

function slugOf(code: ProblemCode): string {
  return code.toLowerCase().replaceAll('_', '-');
}

export interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly allowed?: readonly string[];
}

export interface Violation extends Limits {
  readonly parameter: string;
  readonly in: 'query' | 'path';
  readonly code: ProblemCode;
  /** The text that follows the parameter's name: "must be an integer from 1 to 100". */
  readonly detail: string;
}

/** An error response. The error mapper turns any failure into a refusal, and a refusal is sent as a problem document. */
export class Refusal extends Error {
  constructor(
    readonly code: ProblemCode,
    detail: string,
    readonly violations: readonly Violation[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.name = 'Refusal';
  }

  static ofViolations(violations: readonly [Violation, ...Violation[]]): Refusal {
    const detail = violations.map((violation) => `${violation.parameter} ${violation.detail}`.trim()).join('; ');
    return new Refusal(violations[0].code, detail.endsWith('?') ? detail : `${detail}.`, violations);
  }
}

export function statusOf(code: ProblemCode): number {
  return PROBLEMS[code].status;
}

/** Seconds after which a client should retry if a source is unavailable. */
const RETRY_AFTER = '5';

/** What a client may know about any error. An error that is not from the core becomes INTERNAL, without any details. */
export function refusalOf(error: unknown, pathParameters: readonly string[] = []): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof NotFoundError) return new Refusal('NOT_FOUND', error.message);
  if (error instanceof UnavailableError) return new Refusal('SOURCE_UNAVAILABLE', error.message, [], { 'Retry-After': RETRY_AFTER });
  if (!(error instanceof InvalidInputError)) return new Refusal('INTERNAL', 'The service failed to answer.');
  const { field: parameter, detail } = error;
  return Refusal.ofViolations([{ parameter, in: pathParameters.includes(parameter) ? 'path' : 'query', code: 'INVALID_PARAMETER', detail }]);
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The problem document (RFC 9457) of a refusal, with the members of the envelope. */
export function problemText(refusal: Refusal, requestId: string, basePath: string): string {
  const status = statusOf(refusal.code);
  return JSON.stringify({
    type: `${basePath}/problems/${slugOf(refusal.code)}`,
    title: PROBLEMS[refusal.code].title,
    status,
    detail: refusal.message,
    instance: `urn:uuid:${requestId}`,
    code: refusal.code,
    errors: refusal.violations,
    data: null,
    meta: status >= 500 ? UNAVAILABLE_META : ERROR_META,
  });
}
