import { ConfigError, readAllowlist, readConfigFile, type Approvals, type Config, type Environment } from '@vitrine/config';
import { withinTime } from '@vitrine/config/internal';
import { MINUTE, SECOND, UnavailableError, type Clock } from '@vitrine/core';
import { loadConfig } from '../configuration/load-config.js';
import type { Collected } from './source-factory.js';
import { factsOf, RepeatedProblems, type WatchLog } from './news.js';

const READ_AT_START = ['publicUrl', 'server', 'limits', 'site', 'store', 'cache', 'canary', 'heartbeats'] as const;

const POLL_MS = SECOND;
/** How long a look may take until it counts as failed. With the pauses before them, one look sees a change within five seconds, and two looks within eight. */
const LOOK_MS = 3 * SECOND;
const NO_ANSWER = `the configuration file did not answer within ${String(LOOK_MS / SECOND)} s; check the disk or the network file system that holds it`;
/** For how long the list of the last look that succeeded serves. */
const GRACE_MS = 5 * MINUTE;
const OVER =
  'the allowlist could not be read for 5 minutes; until it can, data of repositories is answered with 503, and nothing of them is collected';

export interface WatchedFile {
  /** The whole content. Rejects when it cannot be read; may hang as the file system does. */
  readonly read: () => Promise<Buffer>;
  /** What a content approves; nothing when its list is empty. Throws when there is no list, or when it is not valid, and not when other keys are invalid. */
  readonly approvalsOf: (content: Buffer) => Approvals;
  /** The whole configuration of a content. Throws a `ConfigError` when it has problems. */
  readonly configOf: (content: Buffer) => Config;
}

/**
 * The configuration file as a running process follows it. The content itself is compared, because length, times and inode can all stay the same. While one look hangs, the next
 * waits. A list that cannot be used ends the last one only after a while. A file with problems elsewhere never changes the sources and services.
 */
export class WatchedConfiguration {
  readonly #initial: Config;
  readonly #file: WatchedFile;
  readonly #clock: Clock;
  readonly #log: WatchLog;
  readonly #lookMs: number;
  readonly #listeners: (() => void)[] = [];
  readonly #problems = new RepeatedProblems();
  #approvals: Approvals;
  #config: Config;
  /** What was read last, whether it could be used or not. */
  #content: Buffer | null = null;
  /** Why its list cannot be used. */
  #refused: { readonly error: unknown } | null = null;
  /** Whether two looks have found it. A half-written file can be valid, and a source that it lacks would lose its records. */
  #isWhole = true;
  #lastGoodAt: number;
  #look: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** @param clock must never go back; not the time of day @param lookMs how long a look may take, in milliseconds */
  constructor(initial: Config, file: WatchedFile, clock: Clock, log: WatchLog, lookMs: number = LOOK_MS) {
    [this.#initial, this.#config, this.#approvals] = [initial, initial, initial];
    [this.#file, this.#clock, this.#log, this.#lookMs] = [file, clock, log, lookMs];
    this.#lastGoodAt = clock.now();
    logSkipped(this.#log, this.#problems, initial.warnings);
  }

  /** The same object until the list changes. Throws an `UnavailableError` if the file could not be used for too long. */
  readonly approvals = (): Approvals => {
    if (this.#isOver) throw new UnavailableError('The list of public repositories cannot be read at the moment.');
    return this.#approvals;
  };

  readonly current = (): Collected => this.#config;

  /** Calls whenever the sources or services have changed. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

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
    this.#look ??= this.#lookAtFile().finally(() => (this.#look = null));
    await withinTime(this.#look, this.#lookMs).catch(() => this.#failed(new ConfigError([NO_ANSWER])));
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
      if (!isSame) this.#takeList(content);
      else if (!this.#isWhole) this.#takeSources(content);
      this.#isWhole = isSame;
      this.#lastGoodAt = startedAt;
      if (this.#problems.now('allowlist', []).isOver) this.#log.info({}, 'the allowlist can be read again');
      this.#problems.now('age', []);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Logs a problem if it differs from the previous one. Also logs once when the last good list is too old to use. */
  #failed(error: unknown): void {
    const { begun } = this.#problems.now('allowlist', [String(error)]);
    if (begun.length > 0) this.#log.error(factsOf(error), 'the allowlist cannot be read; the last good one serves for 5 minutes');
    if (this.#problems.now('age', this.#isOver ? [OVER] : []).begun.length > 0) this.#log.error({}, OVER);
  }

  #takeList(content: Buffer): void {
    this.#content = content;
    try {
      this.#refused = null;
      const { approved, patterns } = this.#file.approvalsOf(content);
      if (JSON.stringify([approved, patterns]) === JSON.stringify([this.#approvals.approved, this.#approvals.patterns])) return;
      this.#approvals = { approved, patterns };
      const counts = { repositories: approved.length, ...(patterns.length > 0 && { patterns: patterns.length }) };
      this.#log.info(counts, 'the allowlist has changed');
    } catch (error) {
      this.#refused = { error };
      throw error;
    }
  }

  #takeSources(content: Buffer): void {
    const before = this.#config;
    try {
      this.#config = this.#file.configOf(content);
    } catch (error) {
      this.#problems.now('file', ['has problems']);
      const problems = error instanceof ConfigError ? { problems: error.problems } : factsOf(error);
      this.#log.error(problems, 'the configuration file has problems; sources and services stay as they were, but no process can start with it');
      return;
    }
    if (this.#problems.now('file', []).isOver) this.#log.info({}, 'the configuration file has no problems any more');
    logSkipped(this.#log, this.#problems, this.#config.warnings);
    const keys = READ_AT_START.filter((key) => JSON.stringify(this.#config[key]) !== JSON.stringify(this.#initial[key]));
    const isNew = this.#problems.now('waiting', keys.length === 0 ? [] : [keys.join()]).begun.length > 0;
    if (isNew) this.#log.warn({ keys }, 'these keys have changed; restart this process to apply them');
    if (JSON.stringify(collectedBy(before)) === JSON.stringify(collectedBy(this.#config))) return;
    this.#log.info({ sources: this.#config.sources.length, services: this.#config.services.length }, 'the sources or services have changed');
    for (const listener of this.#listeners) listener();
  }
}

export function logSkipped(log: WatchLog, problems: RepeatedProblems, skipped: readonly string[]): void {
  const { begun, ended } = problems.now('sources', skipped);
  for (const warning of begun) log.warn({ warning }, 'a source is skipped');
  for (const warning of ended) log.info({ warning }, 'this warning is over');
}

/** What decides which sources run. With patterns, the named repositories decide which of their sources follow a list. */
function collectedBy({ sources, services, patterns, approved }: Collected): readonly unknown[] {
  return [sources, services, patterns, patterns.length === 0 ? [] : approved];
}

export interface WatchOptions {
  readonly env: Environment;
  /** Must never go back, because it says how old the allowlist is. Not the time of day. */
  readonly clock: Clock;
  readonly log: WatchLog;
}

/** Follows the file of a configuration. Nothing is read before `start()`. */
export function watchConfiguration(config: Config, { env, clock, log }: WatchOptions): WatchedConfiguration {
  const { file } = config;
  const watched: WatchedFile = {
    read: () => readConfigFile(file),
    approvalsOf: (content) => readAllowlist({ text: content.toString(), file }),
    configOf: (content) => loadConfig({ text: content.toString(), file, env }),
  };
  return new WatchedConfiguration(config, watched, clock, log);
}
