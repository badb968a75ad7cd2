import type { Connection } from './connections.js';
import type { RateLimiter } from './rate-limiter.js';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CodedBody, type FinishedAnswer, prefersJson } from './finished-answer.js';
import { PROBLEM_TYPE, problemText, type Refusal, statusOf } from './errors.js';
import { CORS_HEADERS, NO_STORE, serviceDescLink, STATIC_HEADERS, STRICT_POLICY } from './envelope.js';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly cacheControl: string;
  readonly policy?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A problem document. @param close ends the connection, because the bytes that follow on it cannot be trusted */
export function problemAnswer(refusal: Refusal, requestId: string, basePath: string, close: boolean): Answer {
  const headers = close ? { ...refusal.headers, Connection: 'close' } : refusal.headers;
  const body = problemText(refusal, requestId, basePath);
  return { status: statusOf(refusal.code), type: PROBLEM_TYPE, body, cacheControl: NO_STORE, headers };
}

/** The headers of an answer but those of its request, as alternating names and values. */
export function headersOf({ type, cacheControl, body, policy = STRICT_POLICY, headers = {} }: Answer, basePath: string): string[] {
  const own = ['Content-Type', type, 'Cache-Control', cacheControl, 'Link', serviceDescLink(basePath), ...Object.entries(headers).flat()];
  return [...own, 'Content-Length', String(Buffer.byteLength(body)), 'Content-Security-Policy', policy, ...STATIC_HEADERS];
}

/** Whether the process accepts work: `starting` until it is ready for traffic, `stopping` after the signal to stop. */
export interface Lifecycle {
  phase: 'starting' | 'ready' | 'stopping';
}

export interface ExchangeContext {
  /** The prefix of every path of the API, such as `/vitrine`; empty for none. */
  readonly basePath: string;
  readonly lifecycle: Readonly<Lifecycle>;
  /** `null`: no client is limited. */
  readonly limiter: RateLimiter | null;
  /** Writes errors for people. If it is or returns `null`, an error is a problem document. */
  readonly errorPage: ((refusal: Refusal, exchange: Exchange) => Answer | null) | null;
}

const OK = 200;
const NOT_MODIFIED = 304;
const NO_CONTENT = 204;

/** A property of the request. A WeakMap of requests would make the garbage collection a third slower. */
const EXCHANGE = Symbol('exchange');

/** One request and its response. Every response is sent through this class. */
export class Exchange {
  readonly requestId: string = randomUUID();
  readonly startedAt = performance.now();
  /** The template of the matching route, never the requested address. */
  route: string | null = null;
  bytes = 0;
  /** The error that caused the response. It is only logged, never sent. */
  failure: unknown = undefined;
  #isCounted = false;
  #limitHeaders: readonly string[] = [];

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    private readonly context: ExchangeContext,
    /** Absent in the server of somebody else. */
    private readonly connection?: Connection,
  ) {}

  /** The prefix of every path of the API; empty for none. */
  get basePath(): string {
    return this.context.basePath;
  }

  /** Makes it known to the router, which gets only the request. */
  enterRouter(): void {
    Reflect.set(this.request, EXCHANGE, this);
  }

  static of(request: IncomingMessage): Exchange {
    const exchange: unknown = Reflect.get(request, EXCHANGE);
    if (!(exchange instanceof Exchange)) throw new TypeError('a request without an exchange');
    return exchange;
  }

  get target(): string {
    return this.request.url ?? '/';
  }

  /** The target, and the wanted form where an address has several: two requests with the same spelling get the same answer. */
  get spelling(): string {
    const { target } = this;
    // This runs for every request, and only the root has several forms.
    return (target.length === 1 || target[1] === '?') && prefersJson(this.request.headers) ? `json ${target}` : target;
  }

  get path(): string {
    return this.#parts()[0];
  }

  get query(): string {
    return this.#parts()[1];
  }

  /**
   * Counts the request against the limits of its client, before its response is computed. Throws the refusal of a client that has sent too many. Counts it once,
   * however often it is called. OPTIONS and health checks are free.
   */
  requireWithinLimits(isSearch = false): void {
    const refusal = this.#limited(isSearch);
    if (refusal !== null) throw refusal;
  }

  #limited(isSearch: boolean): Refusal | null {
    const isFree = this.request.method === 'OPTIONS' || HEALTH_PATHS.has(this.path);
    if (this.#isCounted || isFree) return null;
    this.#isCounted = true;
    const counted = this.context.limiter?.take(this.request, isSearch) ?? null;
    if (counted === null) return null;
    this.#limitHeaders = counted.headers;
    return counted.refusal;
  }

  send(answer: Answer): void {
    this.#write(answer.status, headersOf(answer, this.basePath), answer.body);
  }

  /**
   * Sends an answer in the coding that the client prefers, or 304 if the client has it already.
   *
   * @param age whole seconds since it was made; `null` for one that has just been made
   */
  sendFinished(answer: FinishedAnswer, age: number | null = null): void {
    const { headers } = this.request;
    if (answer.isKnownTo(headers)) {
      this.#write(NOT_MODIFIED, [...answer.validators, ...CORS_HEADERS, ...ageHeader(age)]);
      return;
    }
    const body = answer.bodyFor(headers);
    if (body instanceof CodedBody) this.#sendCoded(answer, body, age);
    else void body.then((coded) => this.#sendCoded(answer, coded, age));
  }

  /** Sends a response without a body, for OPTIONS and redirects. */
  sendEmpty(status: number, headers: Readonly<Record<string, string>>): void {
    const length = status === NO_CONTENT ? [] : ['Content-Length', '0'];
    this.#write(status, [...Object.entries(headers).flat(), ...length, 'Content-Security-Policy', STRICT_POLICY, ...STATIC_HEADERS]);
  }

  /**
   * Sends a problem. It counts like any other response.
   *
   * @param close ends the connection, because the bytes that follow on it cannot be trusted
   */
  refuse(reason: Refusal, close = false): void {
    const refusal = this.#limited(false) ?? reason;
    const page = close ? null : (this.context.errorPage?.(refusal, this) ?? null);
    this.send(page ?? problemAnswer(refusal, this.requestId, this.basePath, close));
  }

  #parts(): readonly [path: string, query: string] {
    const { target } = this;
    const mark = target.indexOf('?');
    return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
  }

  #sendCoded({ policy }: FinishedAnswer, { headers, bytes }: CodedBody, age: number | null): void {
    this.#write(OK, [...headers, 'Content-Security-Policy', policy ?? STRICT_POLICY, ...STATIC_HEADERS, ...ageHeader(age)], bytes);
  }

  #write(status: number, headers: string[], body: string | Buffer = ''): void {
    if (this.response.headersSent || this.response.destroyed) return;
    const sent = this.request.method === 'HEAD' ? '' : body;
    this.bytes = Buffer.byteLength(sent);
    headers.push('X-Request-Id', this.requestId, ...this.#limitHeaders);
    if (this.context.lifecycle.phase === 'stopping' && !headers.includes('Connection')) headers.push('Connection', 'close');
    this.response.writeHead(status, headers);
    this.response.end(sent);
    this.connection?.sent(this.bytes);
  }
}

const ageHeader = (age: number | null) => (age === null ? [] : ['Age', String(age)]);

/** Health checks are never limited. */
const HEALTH_PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz']);
