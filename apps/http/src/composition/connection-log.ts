import { toMongoStoreError } from '@vitrine/adapters-mongo';
import { MINUTE, type Clock, type Instant } from '@vitrine/core';
import type { Logger } from 'pino';
import { loggedError } from './logged-error.js';

/** Tells the log of a database that is not there yet: each new reason at once, the same one once a minute. */
export class ConnectionLog {
  readonly #hosts: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #reason: string | null = null;
  #toldAt: Instant = 0;

  constructor(hosts: string, clock: Clock, logger: Logger) {
    this.#hosts = hosts;
    this.#clock = clock;
    this.#logger = logger;
  }

  failed(error: unknown): void {
    const known = toMongoStoreError(error, this.#hosts);
    const reason = known?.message ?? String(error);
    const now = this.#clock.now();
    if (reason === this.#reason && now - this.#toldAt < MINUTE) return;
    [this.#reason, this.#toldAt] = [reason, now];
    const what = 'the database cannot be used; it is tried again until it can';
    // A database that starts later is no fault; a password that is wrong stays so.
    if (known?.problem === 'unreachable') this.#logger.warn(loggedError(known), what);
    else this.#logger.error(loggedError(known ?? error), what);
  }

  connected(): void {
    this.#reason = null;
    this.#logger.info({ hosts: this.#hosts }, 'connected to MongoDB');
  }
}
