import { toMongoStoreError } from '@vitrine/adapters-mongo';
import { RepeatedProblems } from '@vitrine/collector/server';
import type { Logger } from 'pino';
import { loggedError } from './logged-error.js';

/** Logs that the database cannot be used: when it begins, when the reason changes, and when it ends. */
export class ConnectionLog {
  readonly #hosts: string;
  readonly #logger: Logger;
  readonly #reasons = new RepeatedProblems();

  constructor(hosts: string, logger: Logger) {
    this.#hosts = hosts;
    this.#logger = logger;
  }

  failed(error: unknown): void {
    const known = toMongoStoreError(error, this.#hosts);
    if (this.#reasons.now(this.#hosts, [known?.message ?? String(error)]).begun.length === 0) return;
    const what = 'the database cannot be used; it is tried again until it can';
    // A database that starts later is no fault; a password that is wrong stays so.
    if (known?.problem === 'unreachable') this.#logger.warn(loggedError(known), what);
    else this.#logger.error(loggedError(known ?? error), what);
  }

  connected(): void {
    this.#reasons.now(this.#hosts, []);
    this.#logger.info({ hosts: this.#hosts }, 'connected to MongoDB');
  }
}
