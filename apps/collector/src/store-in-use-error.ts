import { SECOND } from '@vitrine/core';

export interface StoreInUse {
  /** A name for the store, such as `the data folder /var/lib/vitrine`. */
  readonly place: string;
  /** What the other process does with the store. */
  readonly use: 'uses' | 'collects into';
  /** The process that has the lease. */
  readonly holder: string;
  /** How long the command waits, in milliseconds. */
  readonly waitMs: number;
}

/** How to store records while a process has the lease. */
const ADVICE = {
  uses: 'While a server runs, bring records in through a records source of its configuration.',
  'collects into': 'To store the records of a file now, use vitrine import, which does not have to wait.',
} as const;

/** Another process did not release the store in time. Nothing was changed. */
export class StoreInUseError extends Error {
  override readonly name = 'StoreInUseError';

  constructor({ place, use, holder, waitMs }: StoreInUse) {
    super(
      `${holder} ${use} ${place}, and did not end within ${String(waitMs / SECOND)} s. Stop that process, or wait longer, for example with --wait 5m. ${ADVICE[use]}`,
    );
  }
}

/** The line that is printed once, when the command starts to wait. */
export function waitingLine({ place, use, holder, waitMs }: StoreInUse): string {
  return `${holder} ${use} ${place}; waiting for up to ${String(waitMs / SECOND)} s.`;
}
