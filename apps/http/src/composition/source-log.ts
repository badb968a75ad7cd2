import type { RunReport, Source } from '@vitrine/collector';
import type { Logger } from 'pino';
import { loggedError } from './logged-error.js';
import { RepeatedProblems } from './repeated-problems.js';

/**
 * Logs the runs of sources: a failure when it begins, when it changes and when it ends; a warning when it begins. The end of a warning is not logged, because a
 * source that finds nothing new has no warnings either.
 */
export class SourceLog {
  readonly #logger: Logger;
  readonly #failures = new RepeatedProblems();
  readonly #warnings = new RepeatedProblems();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  collected({ id: source }: Source, { stored, unchanged, removed, skipped = 0, warnings }: RunReport): void {
    this.#logger.debug({ source, stored, unchanged, removed, skipped }, 'collected');
    if (this.#failures.now(source, []).isOver) this.#logger.info({ source }, 'the source is collected again');
    for (const warning of this.#warnings.now(source, warnings).begun) this.#logger.warn({ source, warning }, 'a record could not be taken');
  }

  failed({ id: source }: Source, error: unknown): void {
    if (this.#failures.now(source, [String(error)]).begun.length === 0) return;
    this.#logger.warn({ source, ...loggedError(error) }, 'a source could not be collected');
  }
}
