import { type IncomingMessage, type RequestListener, STATUS_CODES } from 'node:http';
import { nearest } from '@vitrine/core';
import { type Request, type Response, Router } from 'express';
import { type ProblemCode, Refusal, refusalOf } from './errors.js';
import { Exchange, headersOf, problemAnswer } from './exchange.js';
import { ALLOWED_METHODS, PREFLIGHT_HEADERS } from './envelope.js';
import { randomUUID } from 'node:crypto';

/**
 * The router of Express. It answers every endpoint, rejects other methods, redirects a trailing slash, and answers every other path with 404. An app of Express
 * would also change the prototypes of both objects for every request, which is slow on Node 20.
 */
export function createRouter(endpoints: readonly Endpoint[]): RequestListener {
  const router = Router({ caseSensitive: true });
  const paths = endpoints.map((endpoint) => endpoint.path);
  // Unlike `router.all`, `route` adds one handler, not one for each method.
  for (const endpoint of endpoints) router.route(patternOf(endpoint)).all((request) => handle(request, endpoint));
  return (request, response) => {
    // The router adds the parameters of the path, and its handlers read nothing else of Express.
    router(request as Request, response as Response, (error?: unknown) => {
      const exchange = Exchange.of(request);
      refuse(exchange, error ?? routeNotFound(exchange, paths));
    });
  };
}

/** The template in the syntax of Express: `/a/{id}` becomes `/a/:id`, or `/a/*id` if the value may contain slashes. The root has no address with a trailing slash. */
function patternOf({ path, spanning }: Endpoint): string | RegExp {
  if (path === '/') return /^\/$/;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => `${name === spanning ? '*' : ':'}${name}`);
}

/** A route also matches the address with a slash at its end, and with more of them after a value that may contain slashes. */
async function handle(request: Request, endpoint: Endpoint): Promise<void> {
  const exchange = Exchange.of(request);
  try {
    const isSlashed = exchange.path !== '/' && exchange.path.endsWith('/');
    const values = pathValues(request, isSlashed);
    if (values === null || exchange.path.endsWith('//')) throw routeNotFound(exchange, []);
    if (isSlashed) redirect(exchange);
    else await dispatch(endpoint, exchange, values);
  } catch (error) {
    refuse(exchange, error, Object.keys(request.params));
  }
}

function refuse(exchange: Exchange, error: unknown, pathParameters: readonly string[] = []): void {
  const refusal = refusalOf(error, pathParameters);
  if (refusal.code === 'INTERNAL') exchange.failure = error;
  exchange.refuse(refusal);
}

function dispatch(endpoint: Endpoint, exchange: Exchange, values: PathValues): Promise<void> | void {
  const { method } = exchange.request;
  exchange.route = endpoint.path;
  if (method === 'GET' || method === 'HEAD') return endpoint.answer(exchange, values);
  if (method !== 'OPTIONS') throw methodNotAllowed();
  exchange.sendEmpty(204, PREFLIGHT_HEADERS);
}

/** Sends the address without its trailing slash. The path begins with a known template, so browsers cannot read it as another host. */
function redirect(exchange: Exchange): void {
  exchange.requireWithinLimits();
  const path = exchange.basePath + exchange.path.slice(0, -1);
  exchange.sendEmpty(308, { Location: exchange.query === '' ? path : `${path}?${exchange.query}`, 'Cache-Control': 'no-store' });
}

const IS_NO_NAME: ReadonlySet<string> = new Set(['', '.', '..']);

/** `null` if a value with slashes has an empty, `.` or `..` segment, because proxies and clients change such a path. */
function pathValues(request: Request, isSlashed: boolean): PathValues | null {
  // Express has decoded each segment. This cannot fail, because malformed targets were rejected earlier. A parameter that may contain slashes has matched the trailing one, too.
  const segmentsOf = (value: string | string[]): readonly string[] => (Array.isArray(value) ? value.slice(0, isSlashed ? -1 : undefined) : [value]);
  const values = Object.entries(request.params).map(([name, value]) => [name, segmentsOf(value)] as const);
  if (values.some(([, segments]) => segments.length > 1 && segments.some((segment) => IS_NO_NAME.has(segment)))) return null;
  return Object.fromEntries(values.map(([name, segments]) => [name, segments.join('/')]));
}

function routeNotFound({ path, basePath }: Exchange, paths: readonly string[]): Refusal {
  const near = sameEnd(path, paths) ?? nearest(path, paths);
  return new Refusal(
    'ROUTE_NOT_FOUND',
    near === null
      ? `There is no such address. ${basePath}/openapi.json lists all of them.`
      : `There is no such address. Did you mean ${basePath}${near}?`,
  );
}

/** The known path with the same last segment: for `/api/v1/incidents` it is `/api/v1/status/incidents`. */
function sameEnd(path: string, paths: readonly string[]): string | null {
  const end = path.slice(path.lastIndexOf('/'));
  return end === '/' ? null : (paths.find((candidate) => candidate.endsWith(end)) ?? null);
}

export type PathValues = Readonly<Record<string, string>>;

/** A request for a document that no client has sent. */
export interface DocumentRequest {
  readonly params: PathValues;
  /** The query, without its question mark; empty for none. */
  readonly query: string;
  /** How many records a list has; `null`: as many as the query says. It may exceed what clients may ask for. */
  readonly pageSize: number | null;
  readonly signal: AbortSignal;
}

export interface Endpoint {
  /** The path template, with `{name}` for each parameter. */
  readonly path: string;
  /** The last parameter of the path, if its value may contain slashes: `a/b` as well as `a%2Fb`. */
  readonly spanning?: string | undefined;
  readonly answer: (exchange: Exchange, params: PathValues) => Promise<void> | void;
  /**
   * The body of the same answer without a client, for copies of the site: computed now, not limited, and never from the cache. Rejects as `answer` throws, and with an
   * `UnavailableError` if a part of it cannot be read. Absent: copies do not have it.
   */
  readonly document?: (request: DocumentRequest) => Promise<string | Buffer>;
}

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
