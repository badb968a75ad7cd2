import { CurrentApproval, WatchedApprovals, wouldApprove } from '@vitrine/collector';
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
  { configurations }: Pick<OpenedStore, 'configurations'>,
  { warn }: Pick<StoreContext, 'warn'>,
  call: (approval: Approval) => Promise<Result>,
): Promise<Result> {
  let failure: unknown;
  const stored = new WatchedApprovals({
    reader: configurations,
    onHidden: ({ name, reason, since }, now) => {
      if (wouldApprove(config, now, name))
        warn(`${name} is HIDDEN since ${formatInstant(since)}, because its forge does not show it to everybody any more (${reason})`);
    },
    onShown: ({ name }, now) => {
      if (wouldApprove(config, now, name)) warn(`${name} is not hidden any more`);
    },
    onFailure: (error) => {
      failure = error;
    },
  });
  await stored.poll();
  if (stored.current() === null) throw failure;
  stored.start();
  try {
    return await call({ permission: new CurrentApproval(() => config, stored.current), stored });
  } finally {
    stored.stop();
  }
}
