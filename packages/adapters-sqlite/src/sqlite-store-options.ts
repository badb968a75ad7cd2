import type { Clock, ClockDoubt } from '@vitrine/core';
import type { QuarantineMonitor } from './records/record-row.js';

export interface SqliteStoreOptions {
  readonly clock: Clock;
  /** The data folder; created if it does not exist. `null` uses temporary files, which are removed when the store is closed. */
  readonly path: string | null;
  /** Whether the store must exist already: then nothing is created, and a folder without a store is refused. Default: `false`. */
  readonly mustExist?: boolean;
  /** How long raw checks are kept, in milliseconds; 400 days by default, and at least 366 days, because the longest published window has 365. */
  readonly retentionMs?: number;
  /** Called once when the file can no longer be written, or was removed, and once when it can be written again. */
  readonly onWritable?: (isWritable: boolean, error: unknown) => void;
  /** Called when the clock jumps, or does not match the stored times. Then no raw checks are deleted for a day. */
  readonly onClockDoubt?: (doubt: ClockDoubt) => void;
  /** Called for stored records that cannot be decoded, or must not be published. They are skipped. */
  readonly monitor?: QuarantineMonitor;
}
