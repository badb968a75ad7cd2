import type { Instant } from '../../domain/shared/instant.js';
import { compareText } from '../../domain/shared/text-order.js';
import type { Check } from '../../domain/status/check.js';

/** The newest checks of one source of a service. */
export interface LatestOfSource {
  readonly newest: Check;
  /** The newest check that is not `unknown`. */
  readonly known: Check | null;
}

/** The first and the newest checks of a service. */
export interface LatestState {
  readonly serviceKey: string;
  readonly firstCheckedAt: Instant;
  readonly lastCheckedAt: Instant;
  /** Sorted by source. */
  readonly sources: readonly LatestOfSource[];
}

/** The latest state after checks were added. If checks or days were removed or replaced, read it again. */
export function latestStateAfter(before: LatestState, checks: readonly Check[]): LatestState {
  const times = checks.map(({ checkedAt }) => checkedAt);
  return {
    serviceKey: before.serviceKey,
    firstCheckedAt: Math.min(before.firstCheckedAt, ...times),
    lastCheckedAt: Math.max(before.lastCheckedAt, ...times),
    sources: withNewest(before.sources, checks),
  };
}

/** A check replaces the known one with the same time, because that was decided when it was stored. */
export function withNewest(sources: readonly LatestOfSource[], checks: readonly Check[]): readonly LatestOfSource[] {
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
