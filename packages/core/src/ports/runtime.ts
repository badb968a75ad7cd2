import type { RecordKind } from '../kinds/identity.js';
import type { Instant } from '../kinds/instant.js';

export interface Clock {
  now(): Instant;
  /**
   * Milliseconds of a monotonic clock, which cannot be set. If this method is absent, a store uses the platform's monotonic clock. A test clock that
   * has it can let time pass, and not only jump.
   */
  elapsed?(): number;
}

/** Limits the time of a call. */
export interface Deadlines {
  /**
   * Runs the call with a signal that aborts when `signal` aborts or after `milliseconds`.
   * Rejects with an `UnavailableError` when the time is over, even if the call itself does not end.
   */
  run<Result>(milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

/** Is notified of records that a reader returned although they are not approved. This is a bug of the reader; no response contains them. */
export interface GateMonitor {
  refused(kind: RecordKind): void;
}
