import { boundSources } from '../approvals/bound-sources.js';
import { NOTHING_STORED, type StoredApprovals } from '../approvals/stored-approvals.js';
import type { ConfiguredSources } from '../create-sources.js';
import type { Source } from '../source.js';
import { RepeatedProblems } from './repeated-problems.js';
import type { WatchLog } from './watch-log.js';
import type { CollectedNow } from './watched-sources.js';

/** What the store says about approved repositories at the moment. */
export interface StoredNow {
  /** `null` before the first read. */
  readonly current: () => StoredApprovals | null;
  /** Calls whenever it has changed. */
  onChange(listener: () => void): void;
}

export interface SourcesNowOptions {
  readonly made: ConfiguredSources;
  readonly collected: CollectedNow;
  readonly stored: StoredNow;
  readonly log: WatchLog;
}

/** The sources of the moment: those of the configuration, with the ids that the stored lists of owners give their repositories. */
export class SourcesNow {
  readonly #options: SourcesNowOptions;
  readonly #skipped = new RepeatedProblems();

  constructor(options: SourcesNowOptions) {
    this.#options = options;
  }

  current(): readonly Source[] {
    const { made, collected } = this.#options;
    return made.of(collected.current(), this.#stored);
  }

  /** Calls whenever the configuration or a list has changed. */
  onChange(listener: () => void): void {
    this.#options.collected.onChange(listener);
    this.#options.stored.onChange(listener);
  }

  /** Logs which sources are skipped, and which are not any more. */
  tellSkipped(): void {
    const { collected, log } = this.#options;
    const { begun, ended } = this.#skipped.now('sources', boundSources(collected.current(), this.#stored).skipped);
    for (const warning of begun) log.warn({ warning }, 'a source is skipped');
    for (const warning of ended) log.info({ warning }, 'this warning is over');
  }

  get #stored(): StoredApprovals {
    return this.#options.stored.current() ?? NOTHING_STORED;
  }
}
