import { CurrentApproval, watchApprovals, watchConfiguration, type CollectedNow, type StoredNow, type WatchLog } from '@vitrine/collector/server';
import type { Approvals, Config, Environment } from '@vitrine/config';
import type { ChangeFeed, ConfigurationReader } from '@vitrine/core';
import { loggedError } from './logged-error.js';
import { monotonicClock } from './system-clock.js';

/** The inputs that a process follows: the configuration file, and the stored approvals. */
export interface FollowedConfiguration {
  readonly approved: CurrentApproval;
  /** Those of the file. Throws an `UnavailableError` if it could not be read for too long. */
  readonly approvals: () => Approvals;
  readonly collected: CollectedNow;
  /** The stored approvals. */
  readonly stored: StoredNow & {
    /** Resolves when the first read has succeeded. */ readonly known: Promise<void>;
    /** Reads once. Never rejects. */ readonly poll: () => Promise<void>;
  };
  /** Begins to watch. Nothing is read before. */
  readonly start: () => void;
  readonly stop: () => void;
}

type Follow = (reader: ConfigurationReader, changeFeed?: ChangeFeed) => FollowedConfiguration;

/**
 * Prepares to follow a configuration. Call this before the store is opened, which can take minutes: the allowlist is as old as this call. The function that is
 * returned takes the feed of the store. Without it, the store is read once a second.
 */
export function followConfiguration(config: Config, env: Environment, log: WatchLog): Follow {
  const { approved: list, collected } = watchConfiguration(config, { env, clock: monotonicClock, log });
  const approvals = (): Approvals => list.current();
  return (reader, changeFeed) => {
    const stored = watchApprovals({ reader, changeFeed, approvals, log, factsOf: loggedError });
    return {
      approved: new CurrentApproval(approvals, stored.current),
      approvals,
      collected,
      stored,
      start: () => {
        list.start();
        stored.start();
      },
      stop: () => {
        list.stop();
        stored.stop();
      },
    };
  };
}
