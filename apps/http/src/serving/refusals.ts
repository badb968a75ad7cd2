import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { randomUUID } from 'node:crypto';
import { ALLOWED_METHODS } from './envelope.js';
import { type ProblemCode, Refusal } from './errors.js';
import { headersOf, problemAnswer } from './exchange.js';

export function methodNotAllowed(): Refusal {
  return new Refusal('METHOD_NOT_ALLOWED', `The service is read-only: ${ALLOWED_METHODS}.`, [], { Allow: ALLOWED_METHODS });
}

/** Whether the client has disconnected. Then there is nothing to send and nothing to log. */
export function isGone(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

const MALFORMED = { code: 'BAD_REQUEST', detail: 'The message is not valid HTTP/1.1.' } as const;
const BY_CODE_OF_NODE: Readonly<Record<string, { readonly code: ProblemCode; readonly detail: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'HEADERS_TOO_LARGE', detail: 'The address and the headers may be 8 KiB long together.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'REQUEST_TIMEOUT', detail: 'The request did not arrive in time.' },
};

export function malformed(error: Error): Refusal {
  const { code, detail } = ('code' in error && BY_CODE_OF_NODE[String(error.code)]) || MALFORMED;
  return new Refusal(code, detail);
}

/** A refusal as the bytes of a whole response, for a socket on which Node parses no requests. */
export function rawProblem(refusal: Refusal, basePath: string): string {
  const requestId = randomUUID();
  const answer = problemAnswer(refusal, requestId, basePath, true);
  const headers = [...headersOf(answer, basePath), 'X-Request-Id', requestId, 'Date', new Date().toUTCString()];
  const lines = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  return `HTTP/1.1 ${String(answer.status)} ${STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('')}\r\n${answer.body}`;
}

const MAX_TARGET_LENGTH = 2_048;

const AUTHORITY = /^https?:\/\/[^/?#]*/i;
/** The characters that a target may have. All others must be percent-encoded, and clients never send a `#`. */
const TARGET = /^[!"$-~]*$/;
const READS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

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

/** Why a message is rejected that no route would accept, and whether its connection must end; `null` if it is not. Expects the target in origin form. */
export function earlyRefusal(request: IncomingMessage) {
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
function bodyRefusal(request: IncomingMessage) {
  const length = request.headers['content-length'];
  const isCoded = request.headers['transfer-encoding'] !== undefined;
  if (!isCoded && (length === undefined || Number(length) === 0)) return null;
  if (isCoded || READS.has(request.method)) return early('BODY_NOT_ALLOWED', 'Requests carry no body and no Transfer-Encoding.', true);
  return { refusal: methodNotAllowed(), close: true };
}

function early(code: 'URI_TOO_LONG' | 'BAD_REQUEST' | 'BODY_NOT_ALLOWED', detail: string, close: boolean) {
  return { refusal: new Refusal(code, detail), close };
}

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
