import type { Clock } from '@vitrine/core';

export const systemClock: Clock = { now: () => Date.now() };

/** A monotonic clock: changes of the system time do not affect it. */
export const monotonicClock: Clock = { now: () => performance.now() };
