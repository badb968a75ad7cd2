import type { Instant } from '../domain/shared/instant.js';

export interface Clock {
  now(): Instant;
  /**
   * Milliseconds of a monotonic clock, which cannot be set. If this method is absent, a store uses the platform's monotonic clock. A test clock that
   * has it can let time pass, and not only jump.
   */
  elapsed?(): number;
}
