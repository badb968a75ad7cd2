import type { Clock } from '@vitrine/core';

export const systemClock: Clock = { now: () => Date.now() };
