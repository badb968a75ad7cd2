import { RepeatedProblems, type RunReport, type Source } from '@vitrine/collector';
import type { Logger } from 'pino';
import { loggedError } from '../logged-error.js';

/** Each run of such a source stores checks, so its lines would fill the log. */
const CHECKING: readonly (string | undefined)[] = ['probe', 'heartbeat', 'statuspage'];

/** Logs the runs of sources: a run that stored or removed records; a failure when it begins, when it changes and when it ends; a warning when it begins and when it ends. */
export class SourceLog {
  readonly #logger: Logger;
  readonly #failures = new RepeatedProblems();
  readonly #warnings = new RepeatedProblems();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  collected(source: Pick<Source, 'id' | 'registration'>, report: RunReport): void {
    this.#logRun(source, report);
    const { id } = source;
    for (const notice of report.notices ?? []) this.#logger.info({ source: id }, notice);
    if (this.#failures.now(id, []).isOver) this.#logger.info({ source: id }, 'the source is collected again');
    const { begun, ended } = this.#warnings.now(id, [...report.warnings, ...(report.standing ?? [])]);
    for (const warning of begun) this.#logger.warn({ source: id, warning }, 'not everything of the source could be taken');
    for (const warning of ended) this.#logger.info({ source: id, warning }, 'this warning is over');
  }

  failed({ id: source }: Source, error: unknown): void {
    if (this.#failures.now(source, [String(error)]).begun.length === 0) return;
    this.#logger.warn({ source, ...loggedError(error) }, 'a source could not be collected');
  }

  #logRun({ id: source, registration }: Pick<Source, 'id' | 'registration'>, { stored, unchanged, removed, skipped = 0 }: RunReport): void {
    const isNews = stored + removed > 0 && !CHECKING.includes(registration?.sourceType);
    this.#logger[isNews ? 'info' : 'debug']({ source, stored, unchanged, removed, skipped }, 'collected');
  }
}
