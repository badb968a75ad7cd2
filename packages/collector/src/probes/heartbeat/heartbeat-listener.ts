import { SourceError, type SourceRuns } from '../../running/source.js';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HeartbeatsConfig } from '@vitrine/config';
import { errorCodeOf } from '@vitrine/config/internal';
import { SECOND } from '@vitrine/core';
import { coalesced, clientByAddress, HEARTBEAT_CONNECTION_LIMITS, HeartbeatConnections, hashOfToken } from './heartbeat-connections.js';
import type { ClientOf, HeartbeatConnectionLimits } from './heartbeat-connections.js';
import type { HeartbeatWord } from './heartbeat-slots.js';
import { elapsed, HeartbeatSource, type HeartbeatReceiver } from './heartbeat-source.js';

export interface HeartbeatListenerOptions extends HeartbeatsConfig {
  readonly clientOf?: ClientOf | undefined;
  readonly limits?: HeartbeatConnectionLimits;
  readonly retryMs?: number;
  readonly headersMs?: number;
  readonly onListening?: ((origin: string) => void) | undefined;
}

const METHODS: readonly (string | undefined)[] = ['GET', 'HEAD', 'POST'];
/** A query may follow, because some clients add one. */
const PATH = /^\/heartbeat\/([A-Za-z0-9._~-]{1,200})(\/fail)?(?:\?|$)/;
/** Bodies are ignored. One that is larger ends its connection. */
const MOST_BODY_BYTES = 1_024 * 1_024;
const RETRY_MS = 5 * SECOND;
/** How long requests that are being answered may hold up a stop. */
const GRACE_MS = SECOND;

const HEADERS_MS = 5 * SECOND;
const SETTINGS = { requestTimeout: 10_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 8 * 1_024 };
const IDLE_MS = 15_000;

interface Turn {
  readonly runs: SourceRuns;
  readonly ending: AbortController;
  readonly writes: WeakMap<HeartbeatSource, () => Promise<boolean>>;
}

/**
 * Receives heartbeats of services at a separate address: GET, HEAD or POST of `/heartbeat/<token>`, or of `/heartbeat/<token>/fail` if the job has failed. The
 * response is 200 after the heartbeat is stored, 503 if it could not be stored, and 404 for every token that no service has. One request for each connection.
 */
export class HeartbeatListener implements HeartbeatReceiver {
  #turn: Turn | null = null;
  readonly #connections: HeartbeatConnections;
  refusedAt = -Infinity;
  /** Resolves with the time since which heartbeats can be received, on the monotonic clock, or with why none can. */
  #listening: Promise<number | SourceError | null> | null = null;
  #ended: Promise<void> = Promise.resolve();

  constructor(private readonly options: HeartbeatListenerOptions) {
    const { clientOf = clientByAddress, limits = HEARTBEAT_CONNECTION_LIMITS } = options;
    this.#connections = new HeartbeatConnections(limits, clientOf, this.#refused);
  }

  start(runs: SourceRuns): void {
    const turn: Turn = { runs, ending: new AbortController(), writes: new WeakMap() };
    this.#turn = turn;
    const before = this.#ended;
    this.#ended = before.then(() => this.#serve(turn));
    // Until an earlier turn has ended.
    this.#listening = before.then(() => this.#listening);
  }

  async stop(): Promise<void> {
    this.#turn?.ending.abort();
    [this.#turn, this.#listening] = [null, null];
    await this.#ended;
  }

  async listeningSince(): Promise<number> {
    const since = await this.#listening;
    if (typeof since === 'number') return since;
    throw (
      since ?? new SourceError('No heartbeats are received: only a process that collects continuously does so. Start the server.', 'NOT_LISTENING')
    );
  }

  isShared(source: HeartbeatSource): boolean {
    return this.#sources().some((other) => source.sharesToken(other));
  }

  /** Receives heartbeats until the turn ends. Tries again while the address cannot be had, because another process may be about to end. */
  async #serve({ runs, ending: { signal } }: Turn): Promise<void> {
    const { retryMs = RETRY_MS } = this.options;
    while (!signal.aborted) {
      const server = this.#createServer();
      const listening = this.#listen(server);
      this.#listening = listening.then((problem) => problem ?? elapsed(runs.clock));
      const problem = await listening;
      if (problem === null) await closeAtEnd(server, signal);
      else await sleep(retryMs, undefined, { signal, ref: false }).catch(ignore);
    }
  }

  async #listen(server: Server): Promise<SourceError | null> {
    const { host, port, onListening } = this.options;
    try {
      server.listen(port, host);
      await once(server, 'listening');
    } catch (error) {
      return new SourceError(`No heartbeats are received: ${reasonOf(error, this.options)}`, 'NOT_LISTENING');
    }
    // Such as too many open files.
    server.on('error', this.#refused);
    const { port: actual } = server.address() as AddressInfo;
    onListening?.(`http://${host.includes(':') ? `[${host}]` : host}:${String(actual)}`);
    return null;
  }

  #createServer(): Server {
    const server = createServer({ ...SETTINGS, headersTimeout: this.options.headersMs ?? HEADERS_MS }, (request, response) => {
      response.on('error', ignore);
      this.#answer(request, response).catch(() => response.destroy());
    });
    server.maxRequestsPerSocket = 1;
    server.timeout = IDLE_MS;
    server.on('connection', (socket) => {
      // Node removes its own error handler before it passes a socket on, and an unhandled error event ends the process.
      socket.on('error', ignore);
      this.#connections.add(socket);
    });
    server.on('clientError', (_error, socket) => socket.destroy());
    server.on('connect', (_request, socket) => socket.destroy());
    return server;
  }

  readonly #refused = (): void => {
    if (this.#turn !== null) this.refusedAt = elapsed(this.#turn.runs.clock);
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = this.#answerTo(request);
    await drained(request);
    const { status, text, headers = {} } = await answer;
    const length = String(Buffer.byteLength(text));
    const fixed = { 'content-type': 'text/plain; charset=utf-8', 'content-length': length, 'cache-control': 'no-store', connection: 'close' };
    response.writeHead(status, { ...fixed, ...headers }).end(text);
  }

  async #answerTo(request: IncomingMessage): Promise<Answer> {
    const heard = METHODS.includes(request.method) ? this.#heardAt(request.url ?? '') : NOT_ALLOWED;
    this.#connections.requested(request, 'source' in heard);
    if (!('source' in heard)) return heard;
    return (await this.#stored(heard.source, heard.word)) ? OK : NOT_STORED;
  }

  #heardAt(url: string): { readonly source: HeartbeatSource; readonly word: HeartbeatWord } | Answer {
    const [, token = '', fail] = PATH.exec(url) ?? [];
    const hash = hashOfToken(token);
    // Every source is asked, so that the time says nothing about which one has the token.
    const [source, ...others] = this.#sources().filter((one) => one.hasToken(hash));
    return source === undefined || others.length > 0 ? NOT_FOUND : { source, word: fail === undefined ? 'ok' : 'reported' };
  }

  async #stored(source: HeartbeatSource, word: HeartbeatWord): Promise<boolean> {
    const turn = this.#turn;
    if (turn === null) return false;
    const { runs, ending, writes } = turn;
    source.receive(word, runs.clock);
    const own = writes.get(source) ?? coalesced(async () => (await runs.run(source))?.warnings.length === 0, ending.signal);
    writes.set(source, own);
    return own();
  }

  #sources(): readonly HeartbeatSource[] {
    const all = this.#turn?.runs.sources() ?? [];
    return all.filter((source): source is HeartbeatSource => source instanceof HeartbeatSource && source.receiver === this);
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const OK: Answer = { status: 200, text: 'ok\n' };
const NOT_FOUND: Answer = { status: 404, text: 'not found\n' };
const NOT_ALLOWED: Answer = { status: 405, text: 'use GET, HEAD or POST\n', headers: { allow: 'GET, HEAD, POST' } };
const NOT_STORED: Answer = { status: 503, text: 'not stored; try again\n', headers: { 'retry-after': '5' } };

async function drained(request: IncomingMessage): Promise<void> {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > MOST_BODY_BYTES) request.destroy();
  });
  await finished(request).catch(ignore);
}

async function closeAtEnd(server: Server, ended: AbortSignal): Promise<void> {
  if (!ended.aborted) await once(ended, 'abort');
  const closed = once(server, 'close');
  server.close();
  await Promise.race([closed, sleep(GRACE_MS, undefined, { ref: false })]);
  server.closeAllConnections();
}

function reasonOf(error: unknown, { host, port }: HeartbeatsConfig): string {
  const code = errorCodeOf(error) ?? 'unknown';
  const remedy = 'set another one in heartbeats';
  if (code === 'EADDRINUSE') return `port ${String(port)} of ${host} is in use by another process; stop it, or ${remedy}.`;
  if (code === 'EACCES') return `port ${String(port)} of ${host} may not be used by this user; ${remedy}.`;
  return `port ${String(port)} of ${host} cannot be listened on (${code}); ${remedy}.`;
}

function ignore(): void {}
