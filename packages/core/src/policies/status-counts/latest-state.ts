import { HOUR, startOfDay, startOfHour, type Instant } from '../../domain/shared/instant.js';
import { compareText } from '../../domain/shared/text-order.js';
import type { Check } from '../../domain/status/check.js';
import { laterTimes } from './count-day.js';
import type { CheckIdentity, CountedDay, HourTally, SourceTimes } from './counted-day.js';

/** The newest checks of one source of a service. */
export interface LatestOfSource {
  readonly newest: Check;
  /** The newest check that is not `unknown`. */
  readonly known: Check | null;
}

/** The latest state of a service. With it, the checks of the last hour need not be read. */
export interface LatestState {
  readonly serviceKey: string;
  readonly firstCheckedAt: Instant;
  readonly lastCheckedAt: Instant;
  /** The end of the longest validity of all checks. */
  readonly coveredUntil: Instant;
  /** The hour of the newest check; `null` if only the counts of its day are known. */
  readonly hour: HourTally | null;
  /** Sorted by source. */
  readonly sources: readonly LatestOfSource[];
}

/**
 * The latest state after checks were added. If checks were removed, rebuild it instead: see `LatestStateRebuild`.
 *
 * @param days the days of the service whose counts have changed
 * @param checks the checks of the service that were added
 */
export function latestStateAfter(before: LatestState, days: readonly CountedDay[], checks: readonly Check[]): LatestState {
  const newest = days.find(({ day }) => day === Math.max(startOfDay(before.lastCheckedAt), ...days.map((other) => other.day)));
  return {
    ...before,
    firstCheckedAt: Math.min(before.firstCheckedAt, ...days.map(({ firstCheckedAt }) => firstCheckedAt)),
    ...(newest === undefined ? {} : endOf(newest)),
    sources: withNewest(before.sources, checks),
  };
}

/** Finds the latest state of a service in its stored days. Add every day, oldest first; hours may be left out. */
export class LatestStateRebuild {
  readonly #sources = new Map<string, SourceTimes>();
  #first: CountedDay | null = null;
  #last: CountedDay | null = null;

  add(day: CountedDay): void {
    this.#first ??= day;
    this.#last = day;
    for (const times of day.sources) this.#sources.set(times.source, laterTimes(this.#sources.get(times.source) ?? null, times));
  }

  /** The last added day; `null` if there is none. */
  get last(): CountedDay | null {
    return this.#last;
  }

  /** The checks that the latest state contains. */
  get newestChecks(): readonly CheckIdentity[] {
    const serviceKey = this.#last?.serviceKey ?? '';
    return [...this.#sources.values()].flatMap(({ source, newestAt, knownAt }) =>
      [...new Set([newestAt, knownAt ?? newestAt])].map((checkedAt) => ({ serviceKey, checkedAt, source })),
    );
  }

  /**
   * The latest state; `null` if the service has no day.
   *
   * @param last the last day with its hours
   * @param checks those of `newestChecks` that are stored
   */
  latestState(last: CountedDay | null, checks: readonly Check[]): LatestState | null {
    if (this.#first === null || last === null) return null;
    const { serviceKey, firstCheckedAt } = this.#first;
    return { serviceKey, firstCheckedAt, ...endOf(last), sources: withNewest([], checks) };
  }
}

/** The end of a service's history, from its last day. */
function endOf(last: CountedDay): Pick<LatestState, 'lastCheckedAt' | 'coveredUntil' | 'hour'> {
  const { lastCheckedAt, coveredUntil } = last;
  return { lastCheckedAt, coveredUntil, hour: hourOf(last, lastCheckedAt) };
}

function hourOf({ day, hours }: CountedDay, time: Instant): HourTally | null {
  return hours.find(({ hour }) => day + hour * HOUR === startOfHour(time)) ?? null;
}

/** A check replaces the known one with the same time, because that was decided when it was stored. */
function withNewest(sources: readonly LatestOfSource[], checks: readonly Check[]): LatestOfSource[] {
  const latest = new Map(sources.map((one) => [one.newest.provenance.source, one]));
  for (const check of checks) {
    const { source } = check.provenance;
    latest.set(source, withCheck(latest.get(source) ?? { newest: check, known: null }, check));
  }
  return [...latest.values()].sort((a, b) => compareText(a.newest.provenance.source, b.newest.provenance.source));
}

function withCheck({ newest, known }: LatestOfSource, check: Check): LatestOfSource {
  return { newest: laterOf(newest, check), known: check.state === 'unknown' ? known : laterOf(known, check) };
}

function laterOf(before: Check | null, check: Check): Check {
  return before !== null && before.checkedAt > check.checkedAt ? before : check;
}
