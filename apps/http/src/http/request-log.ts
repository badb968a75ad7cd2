import type { Logger } from 'pino';
import type { Exchange } from './exchange.js';
import type { ProblemCode } from './problem-codes.js';

/** What a line says of an exchange. */
type AnsweredExchange = Pick<Exchange, 'requestId' | 'request' | 'response' | 'route' | 'startedAt' | 'bytes' | 'failure'>;

/** What the self-check of a service asks for, every few seconds. */
const SELF_CHECKED = '/livez';
const OK = 200;

/** One line per request, but for the process's answers that it is alive, which are logged at the level `debug`: the route's template, never the address, the query or a header, which may hold what was searched for. */
export class RequestLog {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  answered(exchange: AnsweredExchange): void {
    const fields = {
      requestId: exchange.requestId,
      method: exchange.request.method,
      route: exchange.route,
      status: exchange.response.statusCode,
      durationMs: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
      bytes: exchange.bytes,
      ...(exchange.response.writableFinished ? {} : { aborted: true }),
    };
    if (exchange.failure !== undefined) this.#logger.error({ ...fields, err: exchange.failure }, 'request failed');
    else if (fields.route === SELF_CHECKED && fields.status === OK) this.#logger.debug(fields, 'request');
    else this.#logger.info(fields, 'request');
  }

  /** A message that never became a request. */
  malformed(code: ProblemCode): void {
    this.#logger.info({ code }, 'malformed request');
  }
}
