import { CHECK_CLOCK_TOLERANCE_MS, type Check } from '../domain/status/check.js';
import type { Tally, TallyWindow, Window } from '../domain/status/day-tally.js';
import { LatencyBuilder, mergeHistograms, NO_LATENCY } from '../domain/status/latency.js';
import { isRated, severityOf, type ServiceState, type StateCounts } from '../domain/status/service-state.js';
import type { Instant } from '../domain/shared/instant.js';
import { compareText } from '../domain/shared/text-order.js';

export const NO_CHECKS: StateCounts = { operational: 0, degraded: 0, outage: 0, maintenance: 0, unknown: 0 };

/**
 * Counts the checks of a window. Add them in time order and without duplicates. Checks before the window can only cover its start; pass
 * `coveredUntil` for them instead.
 */
export class TallyBuilder {
  readonly #window: Window;
  readonly #counts = { ...NO_CHECKS };
  readonly #latency = new LatencyBuilder();
  #coveredMs = 0;
  #coveredUntil: Instant;

  /** @param coveredUntil the latest end of validity of all checks before the first added one; the window's start if there are none */
  constructor(window: Window, coveredUntil: Instant) {
    this.#window = window;
    this.#coveredUntil = window.from;
    this.#cover(window.from, coveredUntil);
  }

  /** @param checkedAt must not be before that of the last added check */
  add(checkedAt: Instant, state: ServiceState, validForMs: number, responseTimeMs: number | null): void {
    this.#cover(checkedAt, coveredUntilBy({ checkedAt, state, validForMs }));
    if (checkedAt < this.#window.from || checkedAt > this.#window.to) return;
    this.#counts[state] += 1;
    if (responseTimeMs !== null && (state === 'operational' || state === 'degraded')) this.#latency.add(responseTimeMs);
  }

  tally(): Tally {
    return { counts: { ...this.#counts }, coveredMs: this.#coveredMs, latency: this.#latency.histogram() };
  }

  #cover(from: Instant, until: Instant): void {
    const start = Math.max(from, this.#coveredUntil);
    const end = Math.min(until, this.#window.to);
    if (end <= start) return;
    this.#coveredMs += end - start;
    this.#coveredUntil = end;
  }
}

/** The end of the time that a check covers. An `unknown` check covers nothing. */
export function coveredUntilBy({ checkedAt, state, validForMs }: Pick<Check, 'checkedAt' | 'state' | 'validForMs'>): Instant {
  return state === 'unknown' ? checkedAt : checkedAt + validForMs;
}

/** Adds counts to a sum. A status adds thousands of them: with the names of the states in a loop, this takes several times as long. */
export function addCounts(
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
  let coveredMs = 0;
  for (const tally of tallies) {
    addCounts(counts, tally.counts);
    coveredMs += tally.coveredMs;
  }
  return { counts, coveredMs, latency: withoutLatency ? NO_LATENCY : mergeHistograms(tallies.map(({ latency }) => latency)) };
}

/** The time at which a check counts: at most `now`. `null` if the check is more than 60 s in the future and does not count yet. */
export function countedAt(checkedAt: Instant, now: Instant): Instant | null {
  if (checkedAt <= now) return checkedAt;
  return checkedAt <= now + CHECK_CLOCK_TOLERANCE_MS ? now : null;
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

/** The tally of raw checks, in any order and with duplicates. Every stored count must be equal to the result of this function. */
export function tallyOf(checks: readonly Check[], window: TallyWindow, now: Instant): Tally {
  const counted = withoutDuplicates(checks).flatMap((check) => {
    const at = countedAt(check.checkedAt, now);
    return at === null ? [] : [{ at, check }];
  });
  const builder = new TallyBuilder(window, window.from);
  for (const { at, check } of counted.sort((a, b) => a.at - b.at)) builder.add(at, check.state, check.validForMs, check.responseTimeMs);
  return mergeTallies([builder.tally()], window);
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
