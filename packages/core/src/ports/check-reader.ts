import type { Instant } from '../domain/shared/instant.js';
import type { Check } from '../domain/status/check.js';
import type { Tally, TallyWindow } from '../domain/status/day-tally.js';
import type { ServiceEvidence } from '../domain/status/service-evidence.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

export interface EvidenceQuery {
  /** `null` means all services. */
  readonly serviceKeys: readonly string[] | null;
  readonly windows: readonly TallyWindow[];
  readonly now: Instant;
}

export interface DaysQuery {
  /** `null` means all services. */
  readonly serviceKeys: readonly string[] | null;
  /** It may start and end in the middle of a day. Of such a day, only the part inside the window counts. */
  readonly window: TallyWindow;
  readonly now: Instant;
}

/** The part of one UTC day of a service that is inside the requested window. */
export interface DaySlice {
  readonly day: Instant;
  readonly tally: Tally;
}

export interface CheckReader {
  /** Keyed by service key. A service that was never checked is absent. The number of queries must not depend on the number of services. */
  evidence(query: EvidenceQuery, context: ReadContext): Promise<ReadonlyMap<string, ServiceEvidence>>;
  /** Raw checks, newest first, then by source. The `id` of a position is the source. */
  list(serviceKey: string, query: TimeListQuery, context: ReadContext): Promise<TimePage<Check>>;
  /**
   * For each service key, the days that have a counted check or coverage, in any order. A service without such a day is absent. The number of queries must
   * not depend on the number of services or days.
   */
  days(query: DaysQuery, context: ReadContext): Promise<ReadonlyMap<string, readonly DaySlice[]>>;
}
