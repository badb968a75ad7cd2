import { CurrentApproval, readStoredApprovals, WatchedApprovals } from '@vitrine/collector';
import type { Config } from '@vitrine/config';
import { formatInstant } from '@vitrine/core';
import type { StoreContext } from './command-context.js';
import type { OpenedStore } from './opened-store.js';

/** What is approved while a command runs. */
export interface Approval {
  readonly permission: CurrentApproval;
  /** What the store says. Its first read has succeeded. */
  readonly stored: WatchedApprovals;
}

/** Follows what the store says about approved repositories while the call runs. Rejects if the store cannot be read. */
export async function withApproval<Result>(
  config: Config,
  { configurations, signal }: Pick<OpenedStore, 'configurations' | 'signal'>,
  { warn }: Pick<StoreContext, 'warn'>,
  call: (approval: Approval) => Promise<Result>,
): Promise<Result> {
  await readStoredApprovals(configurations, { signal });
  const stored = new WatchedApprovals({
    reader: configurations,
    onHidden: ({ name, reason, since }) => {
      warn(`${name} is HIDDEN since ${formatInstant(since)}, because its forge does not show it to everybody any more (${reason})`);
    },
    onShown: ({ name }) => {
      warn(`${name} is not hidden any more; it is shown if it is approved`);
    },
  });
  stored.start();
  try {
    await stored.known;
    return await call({ permission: new CurrentApproval(() => config, stored.current), stored });
  } finally {
    stored.stop();
  }
}
