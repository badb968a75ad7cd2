import { DAY, HOUR, formatDate, formatInstant, parseDate, parseDateTime, startOfDay, tallyOf, uptimeOf } from '../src/index.js';
import { aCheck } from '../src/testing/index.js';

/** Days on which clocks change, a day that one zone never had, and others at an edge. */
const DAYS = ['2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01', '2028-02-29', '2026-12-31', '2011-12-30', '0099-01-01'];

function resultsOn(text: string): unknown {
  const day = parseDate(text) ?? Number.NaN;
  const checks = Array.from({ length: 60 }, (_, hour) =>
    aCheck({
      state: hour % 7 === 0 ? 'outage' : 'operational',
      checkedAt: day - 10 * HOUR + hour * HOUR,
      responseTimeMs: hour,
      validForMs: HOUR / 2,
    }),
  );
  const tally = tallyOf(checks, { from: day, to: day + DAY - 1 }, day + 9 * DAY);
  const texts = [formatDate(day + DAY - 1), formatInstant(day), startOfDay(day + 5 * HOUR), parseDateTime(`${text}T02:30:00+01:00`)];
  return [day, ...texts, uptimeOf(tally.counts), tally];
}

/** What the rules say about these days, as text. */
export const timeZoneResults = (): string => JSON.stringify(DAYS.map(resultsOn));
