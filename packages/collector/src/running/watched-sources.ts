import { ConfigError, type Config, readAllowlist, readConfigFile, type Environment } from '@vitrine/config';
import { loadConfig } from '../configuration/load-config.js';
import type { Collected } from './sources-options.js';
import { RepeatedProblems, factsOf, type WatchLog } from './watch-log.js';
import type { Clock } from '@vitrine/core';
import { WatchedAllowlist } from './watched-allowlist.js';

/** Keys that a running process does not follow. */
const READ_AT_START = ['publicUrl', 'server', 'limits', 'site', 'store', 'cache', 'canary', 'heartbeats'] as const;

/** The sources and services of the configuration file, swapped whole when the file changes. A file with problems never changes them. */
export class WatchedSources {
  readonly #initial: Config;
  readonly #read: (content: Buffer) => Config;
  readonly #log: WatchLog;
  readonly #listeners: (() => void)[] = [];
  #config: Config;
  #waiting: readonly string[] = [];
  readonly #skipped = new RepeatedProblems();
  #isRefused = false;

  /** @param read the whole configuration of a content; throws a `ConfigError` when it has problems */
  constructor(initial: Config, read: (content: Buffer) => Config, log: WatchLog) {
    [this.#initial, this.#config, this.#read, this.#log] = [initial, initial, read, log];
    this.#tellSkipped();
  }

  /** What is collected at the moment. */
  readonly current = (): Collected => this.#config;

  /** Calls whenever it has changed. */
  readonly onChange = (listener: () => void): void => {
    this.#listeners.push(listener);
  };

  /** Call this with the new content of the file. Never throws. The problems of a content are logged once. */
  readonly take = (content: Buffer): void => {
    try {
      const config = this.#read(content);
      if (this.#isRefused) this.#log.info({}, 'the configuration file has no problems any more');
      this.#isRefused = false;
      this.#swap(config);
    } catch (error) {
      this.#isRefused = true;
      const problems = error instanceof ConfigError ? { problems: error.problems } : factsOf(error);
      this.#log.error(problems, 'the configuration file has problems; sources and services stay as they were, but no process can start with it');
    }
  };

  #swap(config: Config): void {
    const before = this.#config;
    this.#config = config;
    this.#tellSkipped();
    this.#tellWaiting();
    const [sources, services] = [config.sources.length, config.services.length];
    if (textOf(collectedBy(before)) === textOf(collectedBy(config))) return;
    this.#log.info({ sources, services }, 'the sources or services have changed');
    for (const listener of this.#listeners) listener();
  }

  #tellSkipped(): void {
    const { begun, ended } = this.#skipped.now('sources', this.#config.warnings);
    for (const warning of begun) this.#log.warn({ warning }, 'a source is skipped');
    for (const warning of ended) this.#log.info({ warning }, 'this warning is over');
  }

  #tellWaiting(): void {
    const keys = READ_AT_START.filter((key) => textOf(this.#config[key]) !== textOf(this.#initial[key]));
    if (keys.length > 0 && textOf(keys) !== textOf(this.#waiting))
      this.#log.warn({ keys }, 'these keys have changed; restart this process to apply them');
    this.#waiting = keys;
  }
}

/** What decides which sources run. With patterns, the named repositories decide which of their sources follow a list. */
function collectedBy({ sources, services, patterns, approved }: Collected): readonly unknown[] {
  return [sources, services, patterns, patterns.length === 0 ? [] : approved];
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}

/** The parts of a configuration that a running process follows. */
export interface WatchedConfiguration {
  /** Its method `start` begins to watch the file, and `stop` ends that. */
  readonly approved: WatchedAllowlist;
  readonly collected: WatchedSources;
}

export interface WatchOptions {
  readonly env: Environment;
  /** Must never go back, because it says how old the allowlist is. Not the time of day. */
  readonly clock: Clock;
  readonly log: WatchLog;
}

/** Follows the file of a configuration: its allowlist, even while other keys are invalid, and its sources and services. Nothing is read before `approved.start()`. */
export function watchConfiguration(config: Config, { env, clock, log }: WatchOptions): WatchedConfiguration {
  const { file } = config;
  const collected = new WatchedSources(config, (content) => loadConfig({ text: content.toString(), file, env }), log);
  const allowlistFile = {
    read: () => readConfigFile(file),
    approvalsOf: (content: Buffer) => readAllowlist({ text: content.toString(), file }),
    onContent: collected.take,
  };
  return { approved: new WatchedAllowlist(config, allowlistFile, clock, log), collected };
}
