import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_OF } from './error-mapper.js';
import { NO_STORE, serviceDescLink, STATIC_HEADERS } from './headers.js';
import type { Lifecycle } from './lifecycle.js';
import { PROBLEM_TYPE, problemText } from './problem.js';
import type { Refusal } from './refusal.js';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly cacheControl: string;
  /** Further values of the `Link` header, besides the link to the service description. */
  readonly link?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Is called when a response was written to the socket. */
export interface Delivery {
  readonly sent: (bytes: number) => void;
}

/** What an exchange needs from its server. */
export interface ExchangeContext {
  readonly basePath: string;
  readonly lifecycle: Lifecycle;
  readonly delivery: Delivery;
}

const NO_CONTENT = 204;

/** One request and its response. Every response is sent through this class. */
export class Exchange {
  static readonly #all = new WeakMap<IncomingMessage, Exchange>();

  readonly requestId: string = randomUUID();
  readonly startedAt = performance.now();
  /** The template of the matching route, never the requested address. */
  route: string | null = null;
  /** Length of the sent body. */
  bytes = 0;
  /** The error that caused the response. It is only logged, never sent. */
  failure: unknown = undefined;
  /** The prefix of every path of the API, such as `/vitrine`; empty for none. */
  readonly basePath: string;
  readonly #lifecycle: Lifecycle;
  readonly #delivery: Delivery;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    { basePath, lifecycle, delivery }: ExchangeContext,
  ) {
    this.basePath = basePath;
    this.#lifecycle = lifecycle;
    this.#delivery = delivery;
    Exchange.#all.set(request, this);
  }

  static of(request: IncomingMessage): Exchange {
    const exchange = Exchange.#all.get(request);
    if (exchange === undefined) throw new TypeError('a request without an exchange');
    return exchange;
  }

  /** The path as the client sent it, still percent-encoded, without the base path. */
  get path(): string {
    return this.#parts()[0];
  }

  /** The query as the client sent it, without its question mark; empty if there is none. */
  get query(): string {
    return this.#parts()[1];
  }

  send(answer: Answer): void {
    const headers = ['Content-Type', answer.type, 'Cache-Control', answer.cacheControl];
    const description = serviceDescLink(this.basePath);
    headers.push('Link', answer.link === undefined ? description : `${answer.link}, ${description}`);
    for (const [name, value] of Object.entries(answer.headers ?? {})) headers.push(name, value);
    this.#end(answer.status, headers, answer.body);
  }

  /** Sends a response without a body, for OPTIONS and redirects. */
  sendEmpty(status: number, headers: Readonly<Record<string, string>>): void {
    this.#end(status, Object.entries(headers).flat(), '');
  }

  /** @param close ends the connection, because the bytes that follow on it cannot be trusted */
  refuse(refusal: Refusal, close = false): void {
    const body = problemText(refusal, this.requestId, this.basePath);
    const headers = close ? { ...refusal.headers, Connection: 'close' } : refusal.headers;
    this.send({ status: STATUS_OF[refusal.code], type: PROBLEM_TYPE, body, cacheControl: NO_STORE, headers });
  }

  #parts(): readonly [path: string, query: string] {
    const target = this.request.url ?? '/';
    const mark = target.indexOf('?');
    return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
  }

  #end(status: number, headers: string[], body: string | Buffer): void {
    if (this.response.headersSent || this.response.destroyed) return;
    headers.push('X-Request-Id', this.requestId, ...STATIC_HEADERS);
    if (this.#lifecycle.isStopping && !headers.includes('Connection')) headers.push('Connection', 'close');
    const length = Buffer.byteLength(body);
    if (status !== NO_CONTENT) headers.push('Content-Length', String(length));
    this.response.writeHead(status, headers);
    this.bytes = this.request.method === 'HEAD' ? 0 : length;
    if (this.bytes === 0) this.response.end();
    else this.response.end(body);
    this.#delivery.sent(this.bytes);
  }
}
