import { STATUS_CODES } from 'node:http';
import { randomUUID } from 'node:crypto';
import { ALLOWED_METHODS, NO_STORE, serviceDescLink, STATIC_HEADERS, STRICT_POLICY } from './envelope.js';
import { Refusal, statusOf, PROBLEM_TYPE, problemText, type ProblemCode } from './errors.js';

export function methodNotAllowed(): Refusal {
  return new Refusal('METHOD_NOT_ALLOWED', `The service is read-only: ${ALLOWED_METHODS}.`, [], { Allow: ALLOWED_METHODS });
}

const DETAILS = {
  BAD_REQUEST: 'The message is not valid HTTP/1.1.',
  HEADERS_TOO_LARGE: 'The headers may be 8 KiB long.',
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
} as const;

const CODES: Readonly<Record<string, keyof typeof DETAILS>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Whether the client has disconnected. Then there is nothing to send and nothing to log. */
export function isGone(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** The problem code for a parser error of Node. */
export function problemCodeOf(error: Error): keyof typeof DETAILS {
  return ('code' in error && typeof error.code === 'string' ? CODES[error.code] : undefined) ?? 'BAD_REQUEST';
}

/** The response to bytes that are not a valid request. */
export function rawRefusal(code: keyof typeof DETAILS): string {
  return rawProblem(new Refusal(code, DETAILS[code]));
}

/** A complete HTTP/1.1 response as text. */
export function rawProblem(refusal: Refusal): string {
  const requestId = randomUUID();
  const body = problemText(refusal, requestId, '');
  const headers = [
    ['Content-Type', PROBLEM_TYPE],
    ['Cache-Control', NO_STORE],
    ['Link', serviceDescLink('')],
    ['X-Request-Id', requestId],
    ...pairs(['Content-Security-Policy', STRICT_POLICY, ...STATIC_HEADERS]),
    ...Object.entries(refusal.headers),
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Date', new Date().toUTCString()],
    ['Connection', 'close'],
  ];
  return `${statusLine(refusal.code)}${headers.map((header) => `${header.join(': ')}\r\n`).join('')}\r\n${body}`;
}

function statusLine(code: ProblemCode): string {
  const status = statusOf(code);
  return `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n`;
}

function pairs(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? '']);
}
