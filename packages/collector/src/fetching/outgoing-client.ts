import { isUtf8 } from 'node:buffer';
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { TLSSocket } from 'node:tls';
import { earliestOf, SECOND, type Instant } from '@vitrine/core';
import { failureOf, OutgoingError, readBody } from './outgoing-response.js';
import { Slots } from '../running/slots.js';
import { guardedConnect, requirePublicHost, systemResolve, type Resolve } from './guarded-lookup.js';

export interface OutgoingClientOptions {
  /** Sent with each request, so that the operators of other servers know who asks. Default: `Vitrine`. */
  readonly userAgent?: string;
  /** Resolves host names. Default: the resolver of the system. */
  readonly resolve?: Resolve;
}

export interface OutgoingRequest {
  /** An absolute http or https address. */
  readonly url: string;
  /** Default: GET. No request has a body. */
  readonly method?: string;
  /** Sent to every server that answers, also after redirects. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers such as `authorization`. Sent only to the origin of `url`, and no more after a redirect to another origin. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Whether the host of `url` may be in a private network. Other hosts, to which redirects lead, must be public in any case. */
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  /** For the whole request with its redirects and its body, in milliseconds. Default: 10 s. */
  readonly timeoutMs?: number;
  /** The maximum size of the body, transferred and decoded. Default: 5 MiB. */
  readonly maxBytes?: number;
  /** The maximum number of redirects that are followed; with `none`, the redirect is the response. Default: 5. */
  readonly redirects?: number | 'none';
  /** `false`: does not wait for other requests to the same host. Default: `true`. */
  readonly inTurn?: boolean;
}

export interface OutgoingResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The address that has answered, after redirects. */
  readonly url: string;
  readonly body: Uint8Array;
  /** When the first certificate of the servers that answered expires, also of those that sent a redirect; `null` without TLS. */
  readonly certificateExpiresAt: Instant | null;
}

const DEFAULTS = { method: 'GET', timeoutMs: 10 * SECOND, maxBytes: 5 * 1_024 * 1_024, redirects: 5 } as const;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const KEEPS_METHOD = new Set([307, 308]);

interface Hop {
  readonly url: URL;
  readonly method: string;
  /** Whether no redirect has led to another origin yet. */
  readonly isTrusted: boolean;
  readonly certificateExpiresAt: Instant | null;
}

/** The HTTP client of all sources. It connects to public addresses only, also behind a redirect, unless a source allows its own host to be private. It bounds time and size. */
export class OutgoingClient {
  readonly #userAgent: string;
  readonly #resolve: Resolve;
  /** One request at a time goes to each host, so that a configuration with many addresses of one host does not flood it. */
  readonly #hosts = new Map<string, Slots>();

  constructor({ userAgent = 'Vitrine', resolve = systemResolve }: OutgoingClientOptions = {}) {
    [this.#userAgent, this.#resolve] = [userAgent, resolve];
  }

  /** The response with any status. Rejects with an {@link OutgoingError}, or with the reason of the signal if that aborts. */
  async request(request: OutgoingRequest): Promise<OutgoingResponse> {
    const url = new URL(request.url);
    if (request.inTurn === false) return this.#sendInTime(request, url);
    const turns = this.#hosts.get(url.host) ?? new Slots(1);
    this.#hosts.set(url.host, turns);
    return turns.run(() => this.#sendInTime(request, url));
  }

  async #sendInTime(request: OutgoingRequest, url: URL): Promise<OutgoingResponse> {
    const { signal, timeoutMs } = { ...DEFAULTS, ...request };
    signal.throwIfAborted();
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await this.#follow(request, url, AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw new OutgoingError(url, 'timeout', `did not answer completely within ${String(timeoutMs / SECOND)} s`);
      throw error;
    }
  }

  async #follow(request: OutgoingRequest, url: URL, signal: AbortSignal): Promise<OutgoingResponse> {
    const { redirects, maxBytes, method } = { ...DEFAULTS, ...request };
    const most = redirects === 'none' ? 0 : redirects;
    let hop: Hop = { url, method, isTrusted: true, certificateExpiresAt: null };
    try {
      for (let hops = 0; hops <= most; hops++) {
        const message = await this.#exchange(request, hop, request.allowPrivate && hop.url.hostname === url.hostname, signal);
        hop = { ...hop, certificateExpiresAt: earliestOf([hop.certificateExpiresAt, expiryOf(message)]) };
        const next = redirects === 'none' ? null : nextHop(hop, message);
        if (next === null) {
          const body = await readBody(message, hop.url, maxBytes);
          // A body that ends with the connection also seems to end when the signal closes the connection.
          signal.throwIfAborted();
          const { statusCode: status = 0, headers } = message;
          return { status, headers, url: hop.url.href, body, certificateExpiresAt: hop.certificateExpiresAt };
        }
        message.destroy();
        hop = next;
      }
    } catch (error) {
      throw failureOf(error, hop.url, hop.url !== url);
    }
    throw new OutgoingError(url, 'redirect', `redirects more than ${String(most)} times`);
  }

  async #exchange(
    { headers, credentials, timeoutMs = DEFAULTS.timeoutMs }: OutgoingRequest,
    hop: Hop,
    allowPrivate: boolean,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    if (!allowPrivate) requirePublicHost(hop.url.hostname);
    const options: RequestOptions = {
      method: hop.method,
      headers: { 'user-agent': this.#userAgent, 'accept-encoding': 'gzip, br', ...headers, ...(hop.isTrusted && credentials) },
      // A new connection, so that each request looks its host up with its own guard.
      agent: false,
      ...guardedConnect(this.#resolve, { allowPrivate, timeoutMs }),
      signal,
    };
    return new Promise((resolve, reject) => {
      const answered = (message: IncomingMessage): void => {
        // A body that ends with the connection also seems to end when the connection breaks.
        sent.on('error', (error) => message.destroy(error));
        // If the last bytes and a reset are read at once, Node reports no error. Only the other side's address, which is gone, tells the reset from an end.
        const { socket } = message;
        socket.prependListener('end', () => {
          if (!message.complete && socket.remoteAddress === undefined)
            message.destroy(Object.assign(new Error('the connection was reset'), { code: 'ECONNRESET' }));
        });
        resolve(message);
      };
      const sent = hop.url.protocol === 'https:' ? requestHttps(hop.url, options, answered) : requestHttp(hop.url, options, answered);
      sent.on('error', reject);
      sent.on('close', () => reject(new Error('closed')));
      sent.end();
    });
  }
}

function nextHop(hop: Hop, { statusCode = 0, headers: { location } }: IncomingMessage): Hop | null {
  if (!REDIRECTS.has(statusCode) || location === undefined) return null;
  const url = targetOf(inUtf8(location), hop.url);
  const keepsMethod = KEEPS_METHOD.has(statusCode) || hop.method === 'HEAD';
  return { ...hop, url, method: keepsMethod ? hop.method : 'GET', isTrusted: hop.isTrusted && url.origin === hop.url.origin };
}

/** Node reads headers as Latin-1, but servers that do not encode an address write it in UTF-8. */
function inUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

function targetOf(location: string, base: URL): URL {
  const url = URL.canParse(location, base.href) ? new URL(location, base) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new OutgoingError(base, 'redirect', 'redirects to something other than an http or https address');
  // They would be sent as a header.
  [url.username, url.password] = ['', ''];
  return url;
}

function expiryOf({ socket }: IncomingMessage): Instant | null {
  if (!(socket instanceof TLSSocket)) return null;
  const expiry = Date.parse(socket.getPeerCertificate().valid_to);
  return Number.isNaN(expiry) ? null : expiry;
}
