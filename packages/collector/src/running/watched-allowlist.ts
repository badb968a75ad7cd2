import { ConfigError, type Approvals } from '@vitrine/config';
import { MINUTE, SECOND, UnavailableError, type Clock, type Instant } from '@vitrine/core';
import { factsOf, type WatchLog } from './watch-log.js';

export interface AllowlistFile {
  /** The whole content. Rejects when it cannot be read; may hang as the file system does. */
  readonly read: () => Promise<Buffer>;
  /** What a content approves; nothing when its list is empty. Throws when there is no list, or when it is not valid. */
  readonly approvalsOf: (content: Buffer) => Approvals;
  /**
   * Hears each new content whose list is valid, when two looks have found it: a half-written file can be valid, and a source that it lacks would lose its records. Must
   * not throw.
   */
  readonly onContent?: (content: Buffer) => void;
}

const POLL_MS = SECOND;
/** How long a look may take until it counts as failed. With the pauses before them, one look sees a change within five seconds, and two looks within eight. */
const LOOK_MS = 3 * SECOND;
/** The number of timer steps in a look's time. While the process is busy, no step passes: a read could not have been answered either. */
const LOOK_STEPS = 30;
/** For how long the list of the last look that succeeded serves. */
const GRACE_MS = 5 * MINUTE;

/**
 * The allowlist of a file, swapped whole when the file changes. The content itself is compared, because length, times and inode can all stay the
 * same. A file that cannot be used never changes the list, and ends it after a while. One look runs at a time: while one hangs, the next waits.
 */
export class WatchedAllowlist {
  readonly #file: AllowlistFile;
  readonly #clock: Clock;
  readonly #log: WatchLog;
  readonly #lookMs: number;
  #approvals: Approvals;
  /** What was read last, whether it could be used or not. */
  #content: Buffer | null = null;
  #refused: { readonly error: unknown } | null = null;
  #isHeard = true;
  #lastGoodAt: Instant;
  /** Why the file cannot be used at the moment; empty when it can. */
  #problem = '';
  #isOverTold = false;
  #look: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param clock must never go back, for it says how old the list is; not the time of day
   * @param lookMs how long a look may take, in milliseconds
   */
  constructor(initial: Approvals, file: AllowlistFile, clock: Clock, log: WatchLog, lookMs: number = LOOK_MS) {
    this.#lookMs = lookMs;
    this.#file = file;
    this.#clock = clock;
    this.#log = log;
    this.#approvals = initial;
    this.#lastGoodAt = clock.now();
  }

  /** The same object until the list changes. Throws an `UnavailableError` if the file could not be used for too long. */
  readonly current = (): Approvals => {
    if (this.#isOver) throw new UnavailableError('The list of public repositories cannot be read at the moment.');
    return this.#approvals;
  };

  /** Looks now and then once a second, until it is stopped. */
  start(pauseMs = 0): void {
    this.#timer = setTimeout(() => {
      void this.poll().finally(() => {
        if (this.#timer !== null) this.start(POLL_MS);
      });
    }, pauseMs);
    this.#timer.unref();
  }

  /** Waits for nothing, also when a look hangs. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Looks once, for three seconds at most in which the process could take an answer. Never rejects. */
  async poll(): Promise<void> {
    this.#look ??= this.#lookAtFile().finally(() => {
      this.#look = null;
    });
    let steps: NodeJS.Timeout | undefined;
    const timedOut = new Promise<void>((resolve) => {
      let left = LOOK_STEPS;
      steps = setInterval(() => {
        left -= 1;
        if (left > 0) return;
        this.#failed(noAnswer());
        resolve();
      }, this.#lookMs / LOOK_STEPS);
      steps.unref();
    });
    await Promise.race([this.#look, timedOut]);
    clearInterval(steps);
  }

  get #isOver(): boolean {
    return this.#clock.now() - this.#lastGoodAt > GRACE_MS;
  }

  async #lookAtFile(): Promise<void> {
    // What a look finds may be as old as its beginning.
    const startedAt = this.#clock.now();
    try {
      const content = await this.#file.read();
      const isSame = this.#content?.equals(content) === true;
      // The same content says the same, also when it cannot be used.
      if (isSame && this.#refused !== null) throw this.#refused.error;
      if (!isSame) this.#take(content);
      else if (!this.#isHeard) this.#file.onContent?.(content);
      this.#isHeard = isSame;
      this.#succeeded(startedAt);
    } catch (error) {
      this.#failed(error);
    }
  }

  #take(content: Buffer): void {
    this.#content = content;
    try {
      this.#refused = null;
      this.#swap(this.#file.approvalsOf(content));
    } catch (error) {
      this.#refused = { error };
      throw error;
    }
  }

  #swap({ approved, patterns }: Approvals): void {
    if (textOf({ approved, patterns }) === textOf(this.#approvals)) return;
    this.#approvals = { approved, patterns };
    const counts = { repositories: approved.length, ...(patterns.length > 0 && { patterns: patterns.length }) };
    this.#log.info(counts, 'the allowlist has changed');
  }

  #succeeded(startedAt: Instant): void {
    this.#lastGoodAt = startedAt;
    if (this.#problem !== '') this.#log.info({}, 'the allowlist can be read again');
    this.#problem = '';
    this.#isOverTold = false;
  }

  /** Logs a problem if it differs from the previous one. Also logs once when the last good list is too old to use. */
  #failed(error: unknown): void {
    const problem = String(error);
    if (problem !== this.#problem) this.#log.error(factsOf(error), 'the allowlist cannot be read; the last good one serves for 5 minutes');
    this.#problem = problem;
    if (!this.#isOver || this.#isOverTold) return;
    this.#isOverTold = true;
    const sentence =
      'the allowlist could not be read for 5 minutes; until it can, data of repositories is answered with 503, and nothing of them is collected';
    this.#log.error({}, sentence);
  }
}

function textOf({ approved, patterns }: Approvals): string {
  return JSON.stringify([approved, patterns]);
}

function noAnswer(): ConfigError {
  return new ConfigError([
    `the configuration file did not answer within ${String(LOOK_MS / SECOND)} s; check the disk or the network file system that holds it`,
  ]);
}
