import type { QuarantineMonitor } from '@vitrine/adapters-mongo';
import { HOUR, type Clock, type Instant } from '@vitrine/core';
import type { Logger } from 'pino';

type Kind = Parameters<QuarantineMonitor['quarantined']>[0];

interface Problem {
  readonly kind: Kind;
  readonly reason: string;
  /** The documents that have it, as far as they are logged. */
  readonly ids: Set<string>;
  metAt: Instant;
}

/** The most documents that are logged for one problem. */
const MOST_IDS = 20;
/** Repairs are not reported: a problem that no reader has met for this long counts as over. */
const OVER_AFTER_MS = HOUR;

/**
 * Logs the documents that readers leave out. Each request for a page meets them again, so a problem (a kind and a reason) is logged when it begins, when another
 * document has it, up to 20, and when it is over.
 */
export class LoggingQuarantineMonitor implements QuarantineMonitor {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #problems = new Map<string, Problem>();
  #timer: NodeJS.Timeout | null = null;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  quarantined(kind: Kind, id: string, reason: string): void {
    const key = `${kind} ${reason}`;
    const problem = this.#problems.get(key) ?? { kind, reason, ids: new Set(), metAt: 0 };
    this.#problems.set(key, problem);
    problem.metAt = this.#clock.now();
    this.#endLater();
    if (problem.ids.has(id) || problem.ids.size >= MOST_IDS) return;
    problem.ids.add(id);
    const rest = problem.ids.size < MOST_IDS ? '' : '; further documents with this problem are not logged';
    this.#logger.warn({ kind, id, reason }, `a stored document cannot be used, so it is left out${rest}`);
  }

  #endLater(): void {
    if (this.#timer !== null || this.#problems.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#end();
    }, OVER_AFTER_MS);
    this.#timer.unref();
  }

  #end(): void {
    const now = this.#clock.now();
    for (const [key, { kind, reason, ids, metAt }] of this.#problems) {
      if (now - metAt < OVER_AFTER_MS) continue;
      this.#problems.delete(key);
      this.#logger.info({ kind, reason, documents: ids.size }, 'no stored document with this problem was read for an hour');
    }
    this.#endLater();
  }
}
