import type { Logger } from 'pino';
import type { Exchange } from './exchange.js';
import type { ProblemCode } from './problem-codes.js';

/** One line per request: the route's template, never the address, the query or a header, which may hold what was searched for. */
export class RequestLog {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  answered(exchange: Exchange): void {
    const fields = {
      requestId: exchange.requestId,
      method: exchange.request.method,
      route: exchange.route,
      status: exchange.response.statusCode,
      durationMs: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
      bytes: exchange.bytes,
      ...(exchange.response.writableFinished ? {} : { aborted: true }),
    };
    if (exchange.failure === undefined) this.#logger.info(fields, 'request');
    else this.#logger.error({ ...fields, err: exchange.failure }, 'request failed');
  }

  /** A message that never became a request. */
  malformed(code: ProblemCode): void {
    this.#logger.info({ code }, 'malformed request');
  }
}
