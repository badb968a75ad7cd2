import { WatchedApprovals } from '@vitrine/collector';
import { formatInstant, type ConfigurationReader } from '@vitrine/core';
import type { Logger } from 'pino';
import type { StoreHealth } from '../resilience/store-health.js';
import { loggedError } from './logged-error.js';
import { RepeatedProblems } from './repeated-problems.js';

/** What the store says about approved repositories, watched and logged. */
export function watchedApprovals(reader: ConfigurationReader, logger: Logger): WatchedApprovals {
  const failures = new RepeatedProblems();
  return new WatchedApprovals({
    reader,
    onHidden: ({ name, reason, since }) => {
      const hidden = { repository: name, reason, since: formatInstant(since) };
      logger.warn(hidden, 'a repository is HIDDEN from all answers, because its forge does not show it to everybody any more');
    },
    onShown: ({ name }) => {
      logger.warn({ repository: name }, 'a repository is not hidden any more; it is shown if it is approved');
    },
    onFailure: (error) => {
      if (failures.now('store', [String(error)]).begun.length === 0) return;
      logger.warn(loggedError(error), 'lists of owners and hidden repositories cannot be read from the store; the last known ones serve');
    },
    onSuccess: () => {
      if (failures.now('store', []).isOver) logger.info('lists of owners and hidden repositories can be read from the store again');
    },
  });
}

/** The health of a store that takes requests only when it is known what must be hidden. */
export function healthOnceKnown(health: StoreHealth, { current }: Pick<WatchedApprovals, 'current'>): StoreHealth {
  return {
    get state() {
      return health.state === 'ready' && current() === null ? 'connecting' : health.state;
    },
  };
}
