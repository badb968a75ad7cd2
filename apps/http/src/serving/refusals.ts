import { STATUS_CODES, type IncomingMessage } from 'node:http';
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

export function rawRefusal(code: keyof typeof DETAILS): string {
  return rawProblem(new Refusal(code, DETAILS[code]));
}

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

const MAX_TARGET_LENGTH = 2_048;

const AUTHORITY = /^https?:\/\/[^/?#]*/i;
/** The characters that a target may have. All others must be percent-encoded, and clients never send a `#`. */
const TARGET = /^[!"$-~]*$/;
const READS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Why a message is rejected before a route is chosen, and whether its connection must end. */
interface EarlyRefusal {
  readonly refusal: Refusal;
  readonly close: boolean;
}

/** Removes the authority of an absolute-form target, because the server answers for every host name in the same way. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(AUTHORITY, '');
  return rest.startsWith('/') || rest === '*' ? copied(rest) : `/${rest}`;
}

/** The target in origin form, without the base path. A proxy may have cut the path off already. @param basePath such as `/vitrine`; empty for none */
export function belowBase(url: string, basePath: string): string {
  // A base path can only be found at the beginning, where an absolute form has the authority.
  const target = originForm(url);
  if (!target.startsWith(basePath)) return target;
  const rest = target.slice(basePath.length);
  return /^[/?]|^$/.test(rest) ? originForm(rest) : target;
}

/** A part of a text keeps all of it in memory, and addresses of answers are remembered. */
function copied(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1');
}

/** The reason to reject a message that no route would accept; `null` if there is none. Expects the target in origin form. */
export function earlyRefusal(request: IncomingMessage): EarlyRefusal | null {
  const target = request.url ?? '/';
  if (target.length > MAX_TARGET_LENGTH)
    return early('URI_TOO_LONG', `The address may be at most ${String(MAX_TARGET_LENGTH)} characters long.`, true);
  if (!namesOneHost(request)) return early('BAD_REQUEST', 'A request names exactly one host.', true);
  const body = bodyRefusal(request);
  if (body !== null) return body;
  if (!TARGET.test(target)) return early('BAD_REQUEST', 'The address holds characters that must be percent-encoded.', false);
  return isDecodable(target) ? null : early('BAD_REQUEST', 'The path is not valid percent-encoded UTF-8.', false);
}

/** A body with a method such as POST is reported as a wrong method. An encoded body is rejected for every method, because it may contain a smuggled request. */
function bodyRefusal(request: IncomingMessage): EarlyRefusal | null {
  const length = request.headers['content-length'];
  const isCoded = request.headers['transfer-encoding'] !== undefined;
  if (!isCoded && (length === undefined || Number(length) === 0)) return null;
  if (isCoded || READS.has(request.method)) return early('BODY_NOT_ALLOWED', 'Requests carry no body and no Transfer-Encoding.', true);
  return { refusal: methodNotAllowed(), close: true };
}

function early(code: 'URI_TOO_LONG' | 'BAD_REQUEST' | 'BODY_NOT_ALLOWED', detail: string, close: boolean): EarlyRefusal {
  return { refusal: new Refusal(code, detail), close };
}

/** Whether there is exactly one `Host` header. HTTP/1.0 requires none. */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') count++;
  return count === 1 || (count === 0 && httpVersion === '1.0');
}

function isDecodable(target: string): boolean {
  if (!target.includes('%')) return true;
  const mark = target.indexOf('?');
  try {
    decodeURIComponent(mark < 0 ? target : target.slice(0, mark));
    return true;
  } catch {
    return false;
  }
}
