import type { Logger } from 'pino';
import type { Exchange } from './exchange.js';
import type { ProblemCode } from './errors.js';

/** The fields of an exchange that are logged. */
type AnsweredExchange = Pick<Exchange, 'requestId' | 'request' | 'response' | 'route' | 'startedAt' | 'bytes' | 'failure'>;

/** The self-check of a service requests this every few seconds. */
const SELF_CHECKED = '/livez';
const OK = 200;

/** Logs one line for each request. Successful liveness checks are logged at the level `debug`. The line names the template of the route, and never the address, the query or a header, because these may contain search terms. */
export class RequestLog {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  answered(exchange: AnsweredExchange): void {
    const level = levelOf(exchange);
    if (!this.#logger.isLevelEnabled(level)) return;
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
    if (level === 'error') this.#logger.error({ ...fields, err: exchange.failure }, 'request failed');
    else this.#logger[level](fields, 'request');
  }

  /** Logs bytes that are not a valid request. */
  malformed(code: ProblemCode): void {
    this.#logger.info({ code }, 'malformed request');
  }
}

function levelOf({ failure, route, response }: AnsweredExchange): 'error' | 'debug' | 'info' {
  if (failure !== undefined) return 'error';
  return route === SELF_CHECKED && response.statusCode === OK ? 'debug' : 'info';
}
