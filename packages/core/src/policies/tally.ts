import { CHECK_CLOCK_TOLERANCE_MS, type Check } from '../domain/status/check.js';
import type { Tally, Window } from '../domain/status/day-tally.js';
import { LatencyBuilder, mergeHistograms } from '../domain/status/latency.js';
import { isRated, SERVICE_STATES, severityOf, type ServiceState, type StateCounts } from '../domain/status/service-state.js';
import type { Instant } from '../domain/shared/instant.js';
import { compareText } from '../domain/shared/text-order.js';

export const NO_CHECKS: StateCounts = { operational: 0, degraded: 0, outage: 0, maintenance: 0, unknown: 0 };

/**
 * Counts the checks of a window, given in time order and without duplicates. Checks before the window only cover its beginning, and are
 * best told through `coveredUntil`.
 */
export class TallyBuilder {
  readonly #window: Window;
  readonly #counts = { ...NO_CHECKS };
  readonly #latency = new LatencyBuilder();
  #coveredMs = 0;
  #coveredUntil: Instant;

  /** @param coveredUntil the end of the longest validity of all checks before those that are added; the window's start when there is none */
  constructor(window: Window, coveredUntil: Instant) {
    this.#window = window;
    this.#coveredUntil = window.from;
    this.#cover(window.from, coveredUntil);
  }

  /** @param checkedAt not before that of the check added last */
  add(checkedAt: Instant, state: ServiceState, validForMs: number, responseTimeMs: number | null): void {
    this.#cover(checkedAt, checkedAt + validForMs);
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

/** The tallies of stretches that do not overlap, as one. Coverage that reaches into the next stretch is counted there. */
export function mergeTallies(tallies: readonly Tally[]): Tally {
  const counts = { ...NO_CHECKS };
  let coveredMs = 0;
  for (const tally of tallies) {
    for (const state of SERVICE_STATES) counts[state] += tally.counts[state];
    coveredMs += tally.coveredMs;
  }
  return { counts, coveredMs, latency: mergeHistograms(tallies.map(({ latency }) => latency)) };
}

/** When a check counts: as at `now` when it is at most 60 s ahead, `null` (not yet) when it is later. */
export function countedAt(checkedAt: Instant, now: Instant): Instant | null {
  if (checkedAt <= now) return checkedAt;
  return checkedAt <= now + CHECK_CLOCK_TOLERANCE_MS ? now : null;
}

/**
 * Which of two checks of one service, time and source stands, so that the order of storing does not matter: a rated one, then the worse state, then
 * the slower one, then the longer valid one, then the later word. Positive when `a` stands.
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

/** The tally of raw checks in any order, duplicates included: the definition that every stored count must agree with. */
export function tallyOf(checks: readonly Check[], window: Window, now: Instant): Tally {
  const counted = withoutDuplicates(checks).flatMap((check) => {
    const at = countedAt(check.checkedAt, now);
    return at === null ? [] : [{ at, check }];
  });
  const builder = new TallyBuilder(window, window.from);
  for (const { at, check } of counted.sort((a, b) => a.at - b.at)) builder.add(at, check.state, check.validForMs, check.responseTimeMs);
  return builder.tally();
}

function withoutDuplicates(checks: readonly Check[]): Check[] {
  const standing = new Map<string, Check>();
  for (const check of checks) {
    const key = `${String(check.checkedAt)} ${check.provenance.source}`;
    const other = standing.get(key);
    if (other === undefined || compareDuplicates(check, other) > 0) standing.set(key, check);
  }
  return [...standing.values()];
}
