import type { QuarantineMonitor } from '@vitrine/adapters-mongo';
import { MINUTE, type Clock, type Instant } from '@vitrine/core';
import type { Logger } from 'pino';

type Kind = Parameters<QuarantineMonitor['quarantined']>[0];

interface Tally {
  total: number;
  toldAt: Instant;
}

/** Counts what was passed over, and logs it: each kind and reason at once, and then once a minute with its count. A document is met by every request for its page. */
export class LoggingQuarantineMonitor implements QuarantineMonitor {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #tallies = new Map<string, Tally>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  quarantined(kind: Kind, id: string, reason: string): void {
    const key = `${kind} ${reason}`;
    const tally = this.#tallies.get(key) ?? { total: 0, toldAt: -Infinity };
    this.#tallies.set(key, tally);
    tally.total += 1;
    const now = this.#clock.now();
    if (now - tally.toldAt < MINUTE) return;
    tally.toldAt = now;
    this.#logger.warn({ kind, id, reason, total: tally.total }, 'a stored document cannot be used; it was passed over');
  }
}
