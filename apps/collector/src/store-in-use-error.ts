import { SECOND } from '@vitrine/core';

export interface StoreInUse {
  /** The store, such as `the data folder /var/lib/vitrine`. */
  readonly place: string;
  /** Who writes to it; `null`: not known. */
  readonly holder: string | null;
  /** For how long the command has waited. */
  readonly waitMs: number;
}

/** Another process did not give the store back in time. Nothing was done. */
export class StoreInUseError extends Error {
  override readonly name = 'StoreInUseError';

  constructor({ place, holder, waitMs }: StoreInUse) {
    super(
      `${holderOf(holder)} uses ${place}, and did not end within ${String(waitMs / SECOND)} s. Stop that process, or wait longer, for example with --wait 5m. ` +
        'While a server runs, bring records in through a records source of its configuration.',
    );
  }
}

/** What is said once, when the waiting begins. */
export function waitingLine({ place, holder, waitMs }: StoreInUse): string {
  return `${holderOf(holder)} uses ${place}; waiting for up to ${String(waitMs / SECOND)} s.`;
}

function holderOf(holder: string | null): string {
  return holder ?? 'Another process';
}
