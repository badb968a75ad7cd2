import { type Approvals, loadConfig, readAllowlist, readConfigFile, type Config, type Environment } from '@vitrine/config';
import { formatInstant, type ChangeFeed, type ConfigurationReader, type Clock } from '@vitrine/core';
import { wouldApprove } from './current-approval.js';
import type { StoredApprovals } from './stored-approvals.js';
import { WatchedApprovals } from './watched-approvals.js';
import { RepeatedProblems, type WatchLog } from './watch-log.js';
import { WatchedAllowlist } from './watched-allowlist.js';
import { WatchedSources } from './watched-sources.js';

export interface WatchApprovalsOptions {
  readonly reader: ConfigurationReader;
  /** Tells when to read again. Without it, everything is read once a second. */
  readonly changeFeed?: ChangeFeed | undefined;
  /** Those of the configuration; may throw. */
  readonly approvals: () => Approvals;
  readonly log: WatchLog;
  /** What the log gets of an error of the store. */
  readonly factsOf: (error: unknown) => object;
}

/** What the store says about approved repositories, watched and logged. Nothing is read before `poll` or `start`. */
export function watchApprovals({ reader, changeFeed, approvals, log, factsOf }: WatchApprovalsOptions): WatchedApprovals {
  const failures = new RepeatedProblems();
  const isOurs = (name: string, stored: StoredApprovals): boolean => {
    try {
      return wouldApprove(approvals(), stored, name);
    } catch {
      // The list cannot be read, so nothing is shown.
      return false;
    }
  };
  const watched: WatchedApprovals = new WatchedApprovals({
    reader,
    changeFeed,
    onHidden: ({ name, reason, since }, stored) => {
      if (!isOurs(name, stored)) return;
      const hidden = { repository: name, reason, since: formatInstant(since) };
      log.warn(hidden, 'a repository is HIDDEN from all answers, because its forge does not show it to everybody any more');
    },
    onShown: ({ name }, stored) => {
      if (isOurs(name, stored)) log.warn({ repository: name }, 'a repository is not hidden any more');
    },
    onFailure: (error) => {
      if (failures.now('store', [String(error)]).begun.length === 0) return;
      const consequence = watched.current() === null ? 'until they can, no repository is shown or collected' : 'the last known ones serve';
      log.warn(factsOf(error), `lists of owners and hidden repositories cannot be read from the store; ${consequence}`);
    },
    onSuccess: () => {
      if (failures.now('store', []).isOver) log.info({}, 'lists of owners and hidden repositories can be read from the store again');
    },
  });
  return watched;
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
