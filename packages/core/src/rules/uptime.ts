import { CHECK_CLOCK_TOLERANCE_MS, type Check, type ServiceState, type StateCounts, isRated, severityOf } from '../kinds/check.js';
import { DAY, type Instant, startOfHour } from '../kinds/instant.js';
import { LatencyBuilder, NO_LATENCY, mergeHistograms } from '../kinds/latency.js';
import { compareText } from '../kinds/page.js';
import type { UptimeFigure } from '../kinds/service-status.js';
import type { Carry, Tally, TallyWindow, Window } from '../kinds/status-day.js';
import { type CountedCheck, NOTHING_CARRIED, Timeline } from './timeline.js';

/** The last `days` × 24 hours, from the start of an hour on. So the stored hours and days make up all of it but the present hour. */
export function uptimeWindow(days: number, now: Instant): Window {
  return { from: startOfHour(now) - days * DAY, to: now };
}

/** The number of checks that count for uptime. */
export function ratedChecks(counts: StateCounts): number {
  return counts.operational + counts.degraded + counts.outage;
}

/** The percentage of rated checks that were up, and the number of rated checks. Exact up to 10^11 checks. */
export function uptimeOf(counts: StateCounts): UptimeFigure {
  const rated = ratedChecks(counts);
  return { uptimePercent: uptimePercent(counts.operational + counts.degraded, rated), checksTracked: rated };
}

/** Two decimals, half rounded away from zero. Never 100 if a check failed, never 0 if one was up; `null` if there are no rated checks. */
function uptimePercent(up: number, rated: number): number | null {
  if (rated === 0) return null;
  const hundredths = roundedHundredths(up, rated);
  if (up < rated && hundredths === 10_000) return 99.99;
  return up > 0 && hundredths === 0 ? 0.01 : hundredths / 100;
}

/** The percentage of a period that checks cover, with two decimals. Below 100 unless complete; `null` if the length is zero. Both in milliseconds. */
export function coveragePercent(coveredMs: number, lengthMs: number): number | null {
  if (lengthMs <= 0) return null;
  const hundredths = roundedHundredths(coveredMs, lengthMs);
  return coveredMs < lengthMs && hundredths === 10_000 ? 99.99 : hundredths / 100;
}

/** 10,000 x part / whole, rounded half up, with exact integers. */
function roundedHundredths(part: number, whole: number): number {
  return Math.floor((20_000 * part + whole) / (2 * whole));
}

/** The state of a day: the worst rated state. If there is none: maintenance if there was any, otherwise unknown. */
export function stateOfDay({ outage, degraded, operational, maintenance }: StateCounts): ServiceState {
  // A page asks for thousands of days, so this makes no closure.
  if (outage > 0) return 'outage';
  if (degraded > 0) return 'degraded';
  if (operational > 0) return 'operational';
  return maintenance > 0 ? 'maintenance' : 'unknown';
}

export const NO_CHECKS: StateCounts = { operational: 0, degraded: 0, outage: 0, maintenance: 0, unknown: 0 };

/** The tally of a period in which nothing was checked and nothing was valid. */
export const NO_TALLY: Tally = { counts: NO_CHECKS, coveredMs: 0, outageMs: 0, degradedMs: 0, changedAt: null, latency: NO_LATENCY };

/** Counts the checks of a period. Put them in time order and without duplicates. */
export class TallyBuilder {
  readonly #counts = { ...NO_CHECKS };
  readonly #latency = new LatencyBuilder();
  readonly #timeline: Timeline;

  /** @param carry the states of earlier checks that reach into the period */
  constructor(from: Instant, carry: Carry) {
    this.#timeline = new Timeline(from, carry);
  }

  /** @param at the time at which the check counts; must not be before that of the check before */
  put(check: CountedCheck, at: Instant = check.checkedAt): void {
    this.#timeline.put(at, check);
    const { state, responseTimeMs } = check;
    this.#counts[state] += 1;
    if (responseTimeMs !== null && (state === 'operational' || state === 'degraded')) this.#latency.add(responseTimeMs);
  }

  /** The tally up to the end of the period, and the states that are still valid then. */
  end(to: Instant): Tally & Carry {
    this.#timeline.advance(to);
    return { counts: { ...this.#counts }, ...this.#timeline.figures, latency: this.#latency.histogram(), ...this.#timeline.carry };
  }

  /** The tally up to the present, with the state that the checks of this very moment bring. */
  endNow(now: Instant): Tally {
    const { coveredUntil: _coveredUntil, claims: _claims, ...tally } = this.end(now);
    return this.#timeline.isChanging ? { ...tally, changedAt: now } : tally;
  }
}

/** Adds counts to a sum. A status adds thousands of them: with the names of the states in a loop, this takes several times as long. */
function addCounts(
  sum: { -readonly [State in keyof StateCounts]: number },
  { operational, degraded, outage, maintenance, unknown }: StateCounts,
): void {
  sum.operational += operational;
  sum.degraded += degraded;
  sum.outage += outage;
  sum.maintenance += maintenance;
  sum.unknown += unknown;
}

/** Merges the tallies of periods that do not overlap. Coverage that extends into the next period is counted in that period. */
export function mergeTallies(tallies: readonly Tally[], { withoutLatency = false }: Pick<TallyWindow, 'withoutLatency'> = {}): Tally {
  const counts = { ...NO_CHECKS };
  for (const tally of tallies) addCounts(counts, tally.counts);
  return {
    counts,
    coveredMs: tallies.reduce((sum, tally) => sum + tally.coveredMs, 0),
    outageMs: sumOf(tallies.map((tally) => tally.outageMs)),
    degradedMs: sumOf(tallies.map((tally) => tally.degradedMs)),
    changedAt: latestOf(tallies.map((tally) => tally.changedAt)),
    latency: withoutLatency ? NO_LATENCY : mergeHistograms(tallies.map((tally) => tally.latency)),
  };
}

/** A sum is not known if a part of it is not. */
function sumOf(parts: readonly (number | null)[]): number | null {
  return parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);
}

function latestOf(moments: readonly (Instant | null)[]): Instant | null {
  return moments.reduce((latest, moment) => (latest === null || (moment !== null && moment > latest) ? moment : latest), null);
}

/** The time at which a check counts: at most `now`. `null` if the check is more than 60 s in the future and does not count yet. */
export function countedAt(checkedAt: Instant, now: Instant): Instant | null {
  if (checkedAt <= now) return checkedAt;
  return checkedAt <= now + CHECK_CLOCK_TOLERANCE_MS ? now : null;
}

export interface CountedAt {
  /** The time at which the check counts. */
  readonly at: Instant;
  readonly check: Check;
}

export function countedChecks(checks: readonly Check[], now: Instant): CountedAt[] {
  return checks.flatMap((check) => {
    const at = countedAt(check.checkedAt, now);
    return at === null ? [] : [{ at, check }];
  });
}

/**
 * Decides which of two checks of the same service, time and source is kept, whichever was stored first: the rated one, then the worse state, then the
 * slower response, then the longer validity, then the later text of `rawState`. Positive if `a` is kept.
 */
export function compareDuplicates(a: Check, b: Check): number {
  return (
    Number(isRated(a.state)) - Number(isRated(b.state)) ||
    severityOf(a.state) - severityOf(b.state) ||
    (a.responseTimeMs ?? -1) - (b.responseTimeMs ?? -1) ||
    a.validForMs - b.validForMs ||
    compareText(a.rawState, b.rawState)
  );
}

/** The tally of all raw checks, in any order and with duplicates, in a window that ends now: one at its end counts. Figures of stored counts must equal it. */
export function tallyOf(checks: readonly Check[], window: TallyWindow, now: Instant): Tally {
  return mergeTallies([builderOf(checks, window, now, ({ at }) => at <= window.to).endNow(window.to)], window);
}

/** The same for a period that has ended: a check at its end belongs to the next period. Every stored hour and day must be equal to the result of this function. */
export function tallyOfPeriod(checks: readonly Check[], period: TallyWindow): Tally {
  const counted = builderOf(checks, period, Infinity, ({ at }) => at < period.to);
  return mergeTallies([counted.end(period.to)], period);
}

function builderOf(checks: readonly Check[], { from }: Window, now: Instant, counts: (counted: CountedAt) => boolean): TallyBuilder {
  const counted = countedChecks(withoutDuplicates(checks), now).filter(counts);
  counted.sort((a, b) => a.at - b.at || a.check.checkedAt - b.check.checkedAt);
  const before = new TallyBuilder(Math.min(from, counted[0]?.at ?? from), NOTHING_CARRIED);
  for (const { at, check } of counted) if (at < from) before.put(check, at);
  const builder = new TallyBuilder(from, before.end(from));
  for (const { at, check } of counted) if (at >= from) builder.put(check, at);
  return builder;
}

/** Of checks with the same time and source, only the one that {@link compareDuplicates} prefers. Of one service. */
export function withoutDuplicates(checks: readonly Check[]): Check[] {
  const standing = new Map<string, Check>();
  for (const check of checks) {
    const key = `${String(check.checkedAt)} ${check.provenance.source}`;
    const other = standing.get(key);
    if (other === undefined || compareDuplicates(check, other) > 0) standing.set(key, check);
  }
  return [...standing.values()];
}
