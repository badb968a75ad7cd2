import http, { type Server } from 'node:http';
import type { Logger } from 'pino';
import { belowBase, isGone, malformed, methodNotAllowed, rawProblem } from './refusals.js';
import type { Requests } from './request.js';
import { CONNECTION_LIMITS, type ConnectionLimits, Connections } from './connections.js';
import type { Exchange, Lifecycle } from './exchange.js';
import type { ProblemCode } from './errors.js';
import net from 'node:net';
import type { StoreHealth } from './store-guard.js';

export interface ServerOptions {
  readonly limits?: Partial<ConnectionLimits>;
  /** How long a connection stays open after a response, in milliseconds; 72,000 by default. */
  readonly keepAliveMs?: number;
}

/** Most load balancers close an idle connection after 60 s. If the server closed it first, a request on its way could be lost. */
const KEEP_ALIVE_MS = 72_000;

const SETTINGS: http.ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8 * 1_024,
  // The early refusals check the header and respond with a problem document.
  requireHostHeader: false,
};

/** A server that limits its connections. It may listen before it is known what answers. */
export class HttpServer extends http.Server {
  readonly #connections: Connections;

  constructor({ limits, keepAliveMs = KEEP_ALIVE_MS }: ServerOptions) {
    super({ ...SETTINGS, keepAliveTimeout: keepAliveMs });
    this.#connections = new Connections({ ...CONNECTION_LIMITS, ...limits });
    this.#connections.watch(this);
  }

  answerWith(requests: Requests): this {
    const connections = this.#connections;
    const listener = (request: http.IncomingMessage, response: http.ServerResponse): void => {
      const connection = connections.of(request.socket);
      connection?.take(response, () => {
        response.on('close', () => connection.answered());
        requests.begin(request, response, belowBase(request.url ?? '/', requests.parts.basePath), connection);
      });
    };
    // `Expect` is ignored. Without the last two listeners, Node would respond to it.
    this.on('request', listener).on('checkContinue', listener).on('checkExpectation', listener);
    refuseWhatIsNoRequest(this, connections, requests.parts);
    return this;
  }

  /** Node's own method also closes connections whose client is still reading a response. */
  override closeIdleConnections(): void {
    this.#connections.closeIdle();
  }

  /** Node's own method does not close sockets that Node has passed on. */
  override closeAllConnections(): void {
    this.#connections.closeAll();
  }
}

function refuseWhatIsNoRequest(server: http.Server, connections: Connections, { log, basePath }: Requests['parts']): void {
  server.on('connect', (_request, socket) => connections.of(socket)?.end(rawProblem(methodNotAllowed(), basePath)));
  server.on('clientError', (error, socket) => {
    const connection = connections.of(socket);
    if (connection === undefined || isGone(error)) {
      socket.destroy();
      return;
    }
    if (connection.isEnding) return;
    const refusal = malformed(error);
    log.malformed(refusal.code);
    connection.end(rawProblem(refusal, basePath));
  });
}

type AnsweredExchange = Pick<Exchange, 'requestId' | 'request' | 'response' | 'route' | 'startedAt' | 'bytes' | 'failure'>;

/** The self-check of a service requests this every few seconds. */
const SELF_CHECKED = '/livez';
const OK = 200;

/** Logs one line for each request. Successful liveness checks are logged at the level `debug`. The line names the template of the route, and never the address, the query or a header, because these may contain search terms. */
export class RequestLog {
  constructor(private readonly logger: Logger) {}

  answered(exchange: AnsweredExchange): void {
    const level = levelOf(exchange);
    if (!this.logger.isLevelEnabled(level)) return;
    const fields = {
      requestId: exchange.requestId,
      method: exchange.request.method,
      route: exchange.route,
      status: exchange.response.statusCode,
      durationMs: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
      bytes: exchange.bytes,
      // Only true values are logged.
      aborted: exchange.response.writableFinished ? undefined : true,
    };
    if (level === 'error') this.logger.error({ ...fields, err: exchange.failure }, 'request failed');
    else this.logger[level](fields, 'request');
  }

  malformed(code: ProblemCode): void {
    this.logger.info({ code }, 'malformed request');
  }
}

function levelOf({ failure, route, response }: AnsweredExchange): 'error' | 'debug' | 'info' {
  if (failure !== undefined) return 'error';
  return route === SELF_CHECKED && response.statusCode === OK ? 'debug' : 'info';
}

export interface CollectorHealth {
  /** `restarting` from the death of the process until the next one has opened the store. */
  readonly state: 'starting' | 'running' | 'restarting';
  readonly isWritable: boolean;
}

export interface ReadinessParts {
  readonly lifecycle: Readonly<Lifecycle>;
  readonly health: StoreHealth;
  readonly collector: CollectorHealth | null;
  /** Absent if the store has its own search index. */
  readonly localSearch?: { readonly isBuilding: boolean } | null | undefined;
  readonly isFailing: () => boolean;
}

/** Whether the process may receive traffic. Once it was ready, it stays ready if the store is lost, because it can serve the last good responses. It is not ready while the files of its store are gone. */
export class Readiness {
  constructor(private readonly parts: ReadinessParts) {}

  get status(): 'starting' | 'ready' | 'degraded' | 'stopping' {
    const { lifecycle, health, isFailing } = this.parts;
    if (lifecycle.phase !== 'ready') return lifecycle.phase;
    if (health.state === 'connecting') return 'starting';
    return health.state !== 'ready' || isFailing() || this.#isCollectorFailing ? 'degraded' : 'ready';
  }

  get collector(): CollectorHealth['state'] | null {
    return this.parts.collector?.state ?? null;
  }

  get isSearchBuilding(): boolean {
    return this.parts.localSearch?.isBuilding === true && this.takesTraffic;
  }

  /** A store whose files were removed does not come back by itself. */
  get takesTraffic(): boolean {
    return this.parts.health.state !== 'moved' && (this.status === 'ready' || this.status === 'degraded');
  }

  get #isCollectorFailing(): boolean {
    const { collector } = this.parts;
    return collector !== null && (collector.state === 'restarting' || !collector.isWritable);
  }
}

export interface DrainOptions {
  /** Milliseconds in which idle connections may still send a request. Its response has `Connection: close`. */
  readonly graceMs: number;
  /** Milliseconds after which all connections are closed, even those with a request in progress. */
  readonly deadlineMs: number;
}

const LOOK_MS = 50;

/** Stops accepting connections, waits for responses in progress, and resolves when no connection is left. */
export function drain(server: Server, { graceMs, deadlineMs }: DrainOptions): Promise<void> {
  return new Promise((resolve) => {
    let looking: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      looking = setInterval(() => server.closeIdleConnections(), LOOK_MS);
    }, graceMs);
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
    // The HTTP server's own close() would close idle connections at once, and lose requests that are on their way.
    net.Server.prototype.close.call(server, () => {
      clearTimeout(grace);
      clearTimeout(deadline);
      clearInterval(looking);
      resolve();
    });
  });
}
