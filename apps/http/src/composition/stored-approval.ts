import { WatchedApprovals, wouldApprove, type StoredApprovals } from '@vitrine/collector';
import type { Approvals } from '@vitrine/config';
import { formatInstant, type ConfigurationReader } from '@vitrine/core';
import type { Logger } from 'pino';
import type { StoreHealth } from '../resilience/store-health.js';
import { loggedError } from './logged-error.js';
import { RepeatedProblems } from './repeated-problems.js';

/** What the store says about approved repositories, watched and logged. @param approvals those of the configuration; may throw */
export function watchedApprovals(reader: ConfigurationReader, approvals: () => Approvals, logger: Logger): WatchedApprovals {
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
    onHidden: ({ name, reason, since }, stored) => {
      if (!isOurs(name, stored)) return;
      const hidden = { repository: name, reason, since: formatInstant(since) };
      logger.warn(hidden, 'a repository is HIDDEN from all answers, because its forge does not show it to everybody any more');
    },
    onShown: ({ name }, stored) => {
      if (!isOurs(name, stored)) return;
      logger.warn({ repository: name }, 'a repository is not hidden any more');
    },
    onFailure: (error) => {
      if (failures.now('store', [String(error)]).begun.length === 0) return;
      const consequence = watched.current() === null ? 'data of repositories is answered with 503 until they can' : 'the last known ones serve';
      logger.warn(loggedError(error), `lists of owners and hidden repositories cannot be read from the store; ${consequence}`);
    },
    onSuccess: () => {
      if (failures.now('store', []).isOver) logger.info('lists of owners and hidden repositories can be read from the store again');
    },
  });
  return watched;
}

/** The health of a store that takes requests only when it is known what must be hidden. */
export function healthOnceKnown(health: StoreHealth, { current }: Pick<WatchedApprovals, 'current'>): StoreHealth {
  return {
    get state() {
      return health.state === 'ready' && current() === null ? 'connecting' : health.state;
    },
  };
}
