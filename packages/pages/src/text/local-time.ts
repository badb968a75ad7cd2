import { HOUR, MINUTE, type Instant } from '@vitrine/core';

/** The date and the clock time that a moment has in a time zone, as the moment that has them in UTC. */
export type LocalOf = (instant: Instant) => Instant;

/** A date and a clock time in numbers, such as `11/22/2026, 14:03`. To read them is faster than to ask for their parts. */
const NUMBERS = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const;

/** @throws RangeError for an unknown time zone */
export function localTimeIn(timeZone: string): LocalOf {
  if (timeZone === 'UTC') return (instant) => instant;
  const local = new Intl.DateTimeFormat('en-US', { timeZone, ...NUMBERS });
  return (instant) => {
    const [month = 1, day, year = 0, hour, minute] = local.format(instant).split(/\D+/).map(Number);
    // Before 1970, `%` would be negative.
    return Date.UTC(year, month - 1, day, hour, minute) + (instant - Math.floor(instant / MINUTE) * MINUTE);
  };
}

/** By how much clocks are put back at most: on a station in Antarctica. */
const MOST_PUT_BACK = 2 * HOUR;

/** Whether the clocks of the time zone show the same before or after, because they are put back. */
export function isRepeated(instant: Instant, localOf: LocalOf): boolean {
  const putBack = localOf(instant - MOST_PUT_BACK) + 2 * MOST_PUT_BACK - localOf(instant + MOST_PUT_BACK);
  return putBack > 0 && [-putBack, putBack].some((distance) => localOf(instant + distance) === localOf(instant));
}
