import { loadConfig, readAllowlist, readConfigFile, type Config, type Environment } from '@vitrine/config';
import type { Clock } from '@vitrine/core';
import type { WatchLog } from './watch-log.js';
import { WatchedAllowlist } from './watched-allowlist.js';
import { WatchedSources } from './watched-sources.js';

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
