import type { GateMonitor, RecordKind } from '@vitrine/core';
import type { Logger } from 'pino';

/** Counts and logs the records that the second gate refused. Each is a bug of a reader, so it is logged as an error, without the name of the repository. */
export class LoggingGateMonitor implements GateMonitor {
  readonly #logger: Logger;
  readonly #refused = new Map<RecordKind, number>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  refused(kind: RecordKind): void {
    const total = (this.#refused.get(kind) ?? 0) + 1;
    this.#refused.set(kind, total);
    this.#logger.error({ kind, total }, 'a reader returned a record that is not approved; it was dropped');
  }

  /** How many records of a kind were refused since the start. */
  total(kind: RecordKind): number {
    return this.#refused.get(kind) ?? 0;
  }
}
