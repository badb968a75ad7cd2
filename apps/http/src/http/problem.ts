import { ERROR_META, UNAVAILABLE_META } from './envelope.js';
import { STATUS_OF } from './error-mapper.js';
import { PROBLEMS, problemType } from './problem-codes.js';
import type { Refusal } from './refusal.js';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The problem document (RFC 9457) of a refusal, with the members of the envelope. */
export function problemText(refusal: Refusal, requestId: string, basePath: string): string {
  const status = STATUS_OF[refusal.code];
  return JSON.stringify({
    type: basePath + problemType(refusal.code),
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
