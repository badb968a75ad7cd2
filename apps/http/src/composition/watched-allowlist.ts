import { createHash } from 'node:crypto';
import { Allowlist, MINUTE, SECOND, UnavailableError, type AllowlistEntry, type ApprovedRepositories, type Clock, type Instant } from '@vitrine/core';
import type { Logger } from 'pino';
import type { ApprovedSource } from '../http/approved-source.js';
import { loggedError } from './logged-error.js';

/** Where the list is kept. */
export interface AllowlistFile {
  /** Changes whenever the content may have. Rejects when the file cannot be seen. */
  readonly stamp: () => Promise<string>;
  /** The entries, at least one. Rejects when they cannot be read or are not valid. */
  readonly read: () => Promise<readonly AllowlistEntry[]>;
}

/** How often the file is looked at. */
const POLL_MS = SECOND;
/** For how long the last good list serves when the file cannot be read. */
const GRACE_MS = 5 * MINUTE;

/** The allowlist of a file, swapped whole when the file changes. A file that cannot be used never changes it, and ends it after a while. */
export class WatchedAllowlist implements ApprovedSource {
  readonly #file: AllowlistFile;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #approved: ApprovedRepositories;
  #stamp: string | null = null;
  #failingSince: Instant | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(initial: readonly AllowlistEntry[], file: AllowlistFile, clock: Clock, logger: Logger) {
    this.#file = file;
    this.#clock = clock;
    this.#logger = logger;
    this.#approved = approvedOf(initial);
  }

  current(): ApprovedRepositories {
    if (this.#failingSince !== null && this.#clock.now() - this.#failingSince > GRACE_MS)
      throw new UnavailableError('The list of public repositories cannot be read at the moment.');
    return this.#approved;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      void this.poll().finally(() => {
        if (this.#timer !== null) this.start();
      });
    }, POLL_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Looks once. Never rejects. */
  async poll(): Promise<void> {
    try {
      const stamp = await this.#file.stamp();
      if (stamp === this.#stamp && this.#failingSince === null) return;
      this.#take(await this.#file.read());
      this.#stamp = stamp;
      this.#failingSince = null;
    } catch (error) {
      if (this.#failingSince === null) this.#logger.error(loggedError(error), 'the allowlist cannot be read; the last good one serves for 5 minutes');
      this.#failingSince ??= this.#clock.now();
    }
  }

  #take(entries: readonly AllowlistEntry[]): void {
    const approved = approvedOf(entries);
    if (this.#failingSince !== null) this.#logger.info('the allowlist can be read again');
    if (approved.revision === this.#approved.revision) return;
    this.#approved = approved;
    this.#logger.info({ repositories: entries.length }, 'the allowlist has changed');
  }
}

/** The revision is that of the content, so that equal lists have equal revisions. */
function approvedOf(entries: readonly AllowlistEntry[]): ApprovedRepositories {
  const content = JSON.stringify(entries.map(({ fullName, forgeId }) => [fullName, forgeId]));
  return new Allowlist(entries, createHash('sha256').update(content).digest('hex').slice(0, 16)).approved();
}
