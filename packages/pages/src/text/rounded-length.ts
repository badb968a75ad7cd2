import { DAY, HOUR, MINUTE, SECOND } from '@vitrine/core';

/** To the nearest second, minute or, from a day on, hour, which are the units that are shown: an outage of 179.9 s took 3 minutes, not 2. */
export function roundedLength(milliseconds: number): number {
  const [seconds, minutes] = [SECOND, MINUTE].map((unit) => Math.round(milliseconds / unit) * unit) as [number, number];
  // What was short was not nothing.
  if (seconds < MINUTE) return milliseconds > 0 ? Math.max(SECOND, seconds) : seconds;
  return minutes < DAY ? minutes : Math.round(milliseconds / HOUR) * HOUR;
}
