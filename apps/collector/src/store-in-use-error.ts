import { SECOND } from '@vitrine/core';

export interface StoreInUse {
  /** A name for the store, such as `the data folder /var/lib/vitrine`. */
  readonly place: string;
  /** The process that writes to it; `null` if unknown. */
  readonly holder: string | null;
  /** How long the command waited, in milliseconds. */
  readonly waitMs: number;
}

/** Another process did not release the store in time. Nothing was changed. */
export class StoreInUseError extends Error {
  override readonly name = 'StoreInUseError';

  constructor({ place, holder, waitMs }: StoreInUse) {
    super(
      `${holderOf(holder)} uses ${place}, and did not end within ${String(waitMs / SECOND)} s. Stop that process, or wait longer, for example with --wait 5m. ` +
        'While a server runs, bring records in through a records source of its configuration.',
    );
  }
}

/** The line that is printed once, when the command starts to wait. */
export function waitingLine({ place, holder, waitMs }: StoreInUse): string {
  return `${holderOf(holder)} uses ${place}; waiting for up to ${String(waitMs / SECOND)} s.`;
}

function holderOf(holder: string | null): string {
  return holder ?? 'Another process';
}
