import type { Clock } from '@vitrine/core';

export const systemClock: Clock = { now: () => Date.now() };

/** Goes on evenly, whatever is done to the time of day. */
export const monotonicClock: Clock = { now: () => performance.now() };
