import { CurrentApproval, readStoredApprovals, watchApprovals, type WatchedApprovals } from '@vitrine/collector';
import type { Approvals } from '@vitrine/config';
import { UnavailableError } from '@vitrine/core';
import type { StoreContext } from './command-context.js';
import type { OpenedStore } from './opened-store.js';
import { watchLog } from './run-lines.js';

/** What is approved while a command runs. */
export interface Approval {
  readonly permission: CurrentApproval;
  /** What the store says. Its first read has succeeded. */
  readonly stored: WatchedApprovals;
}

/** Follows what the store says about approved repositories while the call runs. Rejects if the store cannot be read. @param approvals those of the configuration; may throw */
export async function withApproval<Result>(
  approvals: () => Approvals,
  { configurations, signal }: Pick<OpenedStore, 'configurations' | 'signal'>,
  context: StoreContext,
  call: (approval: Approval) => Promise<Result>,
): Promise<Result> {
  // A read that rejects with its reason. Later ones are logged if they fail.
  await readStoredApprovals(configurations, { signal });
  const stored = watchApprovals({ reader: configurations, approvals, log: watchLog(context), factsOf: (error) => ({ error }) });
  await stored.poll();
  if (stored.current() === null) throw new UnavailableError('The lists of approved repositories cannot be read from the store.');
  stored.start();
  try {
    return await call({ permission: new CurrentApproval(approvals, stored.current), stored });
  } finally {
    stored.stop();
  }
}
