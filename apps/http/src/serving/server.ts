import http from 'node:http';
import type { Logger } from 'pino';
import { belowBase, isGone, malformed, methodNotAllowed, rawProblem } from './refusals.js';
import type { Requests } from './request.js';
import { CONNECTION_LIMITS, Connections, type ConnectionLimits } from './connections.js';
import type { Exchange } from './exchange.js';
import type { ProblemCode } from './errors.js';

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
