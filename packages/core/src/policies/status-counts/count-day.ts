import { DAY, HOUR, startOfDay, type Instant } from '../../domain/shared/instant.js';
import { compareText } from '../../domain/shared/text-order.js';
import type { Check } from '../../domain/status/check.js';
import { coveredUntilBy, mergeTallies, TallyBuilder } from '../tally.js';
import { NEVER_COVERED, type CountedDay, type HourTally, type ServiceDay, type SourceTimes } from './counted-day.js';

/** A counted day whose hours before `from` stay unchanged. */
export interface KeptHours {
  readonly stored: CountedDay;
  /** Start of the first hour that is counted again. */
  readonly from: Instant;
}

/**
 * Counts a day; `null` if it has no check.
 *
 * @param checks in time order and without duplicates: all checks of the day, or only those of the hours that are counted again
 * @param coveredBefore the end of the longest validity of all checks before the day; `NEVER_COVERED` if there are none
 * @param kept the hours that are not counted again. Nothing may have been removed from the hours after them. `null` counts the whole day
 */
export function countDay(
  { serviceKey, day }: ServiceDay,
  checks: readonly Check[],
  coveredBefore: Instant,
  kept: KeptHours | null,
): CountedDay | null {
  const before = kept === null ? NOTHING_KEPT : keptPart(kept);
  const times = [...before.times, ...checks.map(({ checkedAt }) => checkedAt)];
  const [firstCheckedAt] = times;
  if (firstCheckedAt === undefined) return null;
  const lastCheckedAt = times.at(-1) ?? firstCheckedAt;
  const hours = [...before.hours, ...countHours(checks, kept?.from ?? day, coverageOf(before.hours, coveredBefore))];
  const coveredUntil = coverageOf(hours, coveredBefore);
  const sources = sourceTimes(checks, before.sources);
  return { kind: 'status-day', serviceKey, day, ...mergeTallies(hours), firstCheckedAt, lastCheckedAt, coveredUntil, sources, hours };
}

function coverageOf(hours: readonly HourTally[], coveredBefore: Instant): Instant {
  return hours.at(-1)?.coveredUntil ?? coveredBefore;
}

interface KeptPart extends Pick<CountedDay, 'hours' | 'sources'> {
  /** The times of the first and the last known check. */
  readonly times: readonly Instant[];
}

const NOTHING_KEPT: KeptPart = { hours: [], sources: [], times: [] };

/** Nothing was removed from the hours that are counted again, so their previous last check is still among the counted ones. */
function keptPart({ stored: { day, hours, sources, firstCheckedAt, lastCheckedAt }, from }: KeptHours): KeptPart {
  const times = [firstCheckedAt, lastCheckedAt].filter((time) => time < from);
  return { hours: hours.filter(({ hour }) => day + hour * HOUR < from), sources, times };
}

function countHours(checks: readonly Check[], from: Instant, coveredBefore: Instant): HourTally[] {
  const hours: HourTally[] = [];
  const day = startOfDay(from);
  let coveredUntil = coveredBefore;
  let next = 0;
  for (let start = from; start < day + DAY; start += HOUR) {
    const builder = new TallyBuilder({ from: start, to: start + HOUR }, Math.max(start, coveredUntil));
    const isCovered = coveredUntil > start;
    const firstOfHour = next;
    for (let check = checks[next]; check !== undefined && check.checkedAt < start + HOUR; check = checks[++next]) {
      builder.add(check.checkedAt, check.state, check.validForMs, check.responseTimeMs);
      coveredUntil = Math.max(coveredUntil, coveredUntilBy(check));
    }
    if (isCovered || next > firstOfHour) hours.push({ hour: (start - day) / HOUR, ...builder.tally(), coveredUntil });
  }
  return hours;
}

function sourceTimes(checks: readonly Check[], stored: readonly SourceTimes[]): SourceTimes[] {
  const times = new Map(stored.map((one) => [one.source, one]));
  for (const { checkedAt, state, provenance } of checks) {
    const { source } = provenance;
    const knownAt = state === 'unknown' ? null : checkedAt;
    times.set(source, laterTimes(times.get(source) ?? null, { source, newestAt: checkedAt, knownAt }));
  }
  // Sorted by source, so that the same checks always give the same counts, in whatever order they arrive.
  return [...times.values()].sort((a, b) => compareText(a.source, b.source));
}

/** The later times of two values for the same source. */
export function laterTimes(a: SourceTimes | null, b: SourceTimes): SourceTimes {
  if (a === null) return b;
  const known = Math.max(a.knownAt ?? NEVER_COVERED, b.knownAt ?? NEVER_COVERED);
  return { source: b.source, newestAt: Math.max(a.newestAt, b.newestAt), knownAt: known === NEVER_COVERED ? null : known };
}
