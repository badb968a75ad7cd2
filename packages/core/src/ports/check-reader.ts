import type { Instant } from '../domain/shared/instant.js';
import type { Check } from '../domain/status/check.js';
import type { Tally, Window } from '../domain/status/day-tally.js';
import type { ServiceEvidence } from '../domain/status/service-evidence.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

export interface EvidenceQuery {
  /** `null` means all services. */
  readonly serviceKeys: readonly string[] | null;
  readonly windows: readonly Window[];
  readonly now: Instant;
}

export interface DaysQuery {
  /** Both ends may cut a day; a day that is cut counts only what lies inside. */
  readonly window: Window;
  readonly now: Instant;
}

/** One UTC day of a service, as far as it lies inside the window asked for. */
export interface DaySlice {
  readonly day: Instant;
  readonly tally: Tally;
}

export interface CheckReader {
  /** By service key; a service that was never checked is absent. A constant number of queries, however many services there are. */
  evidence(query: EvidenceQuery, context: ReadContext): Promise<ReadonlyMap<string, ServiceEvidence>>;
  /** Raw checks, newest first, then by source; a position's `id` is the source. */
  list(serviceKey: string, query: TimeListQuery, context: ReadContext): Promise<TimePage<Check>>;
  /** The days that hold a counted check or coverage, in any order. */
  days(serviceKey: string, query: DaysQuery, context: ReadContext): Promise<readonly DaySlice[]>;
}
