import { DomainError, InvalidInputError } from '@vitrine/core';
import type { ProblemCode } from './problem-codes.js';
import { Refusal } from './refusal.js';

/** The HTTP status of each problem code. No other place has status codes of errors. */
export const STATUS_OF: Readonly<Record<ProblemCode, number>> = {
  INVALID_PARAMETER: 400,
  INVALID_RANGE: 400,
  UNKNOWN_PARAMETER: 400,
  DUPLICATE_PARAMETER: 400,
  EMPTY_PARAMETER: 400,
  MISSING_PARAMETER: 400,
  INVALID_CURSOR: 400,
  CURSOR_MISMATCH: 400,
  BODY_NOT_ALLOWED: 400,
  BAD_REQUEST: 400,
  NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  URI_TOO_LONG: 414,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  SOURCE_UNAVAILABLE: 503,
};

/** Seconds after which a client should retry if a source is unavailable. */
const RETRY_AFTER = '5';

/** What a client may know about any error. An error that is not from the core becomes INTERNAL, without any details. */
export function refusalOf(error: unknown, pathParameters: readonly string[] = []): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof DomainError)) return new Refusal('INTERNAL', 'The service failed to answer.');
  switch (error.kind) {
    case 'not_found':
      return new Refusal('NOT_FOUND', error.message);
    case 'unavailable':
      return new Refusal('SOURCE_UNAVAILABLE', error.message, [], { 'Retry-After': RETRY_AFTER });
    case 'invalid_input':
      return Refusal.ofViolations([
        {
          parameter: fieldOf(error),
          in: pathParameters.includes(fieldOf(error)) ? 'path' : 'query',
          code: 'INVALID_PARAMETER',
          detail: error.message,
        },
      ]);
  }
}

function fieldOf(error: DomainError): string {
  return error instanceof InvalidInputError ? error.field : '';
}
