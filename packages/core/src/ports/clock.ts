import type { Instant } from '../domain/shared/instant.js';

export interface Clock {
  now(): Instant;
  /**
   * Milliseconds since some moment, by a clock that nobody can set. Where it is absent, a store takes the platform's own; a clock of tests that has
   * it can let time pass, and not only jump.
   */
  elapsed?(): number;
}
