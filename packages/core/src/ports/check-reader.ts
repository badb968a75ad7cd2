import type { Check } from '../kinds/check.js';
import type { Instant } from '../kinds/instant.js';
import type { StatusDay, StatusHour, Tally, TallyWindow, Window } from '../kinds/status-day.js';
import type { PresentChecks } from '../rules/evidence.js';
import type { ReadContext, TimeListQuery, TimePage } from './readers.js';

export interface SumsQuery {
  /** `null` means all services. */
  readonly serviceKeys: readonly string[] | null;
  /** They begin at a full hour and end at the start of a UTC day, which is not included. */
  readonly ranges: readonly TallyWindow[];
}

export interface PresentQuery {
  /** `null` means all services. */
  readonly serviceKeys: readonly string[] | null;
  readonly now: Instant;
}

export interface DaysQuery {
  /** `null` means all services. */
  readonly serviceKeys: readonly string[] | null;
  /** Starts of UTC days. The day that begins at `to` is not included. */
  readonly window: TallyWindow;
}

/**
 * Reads checks and their stored counts. A service without a result is absent from the maps. The number of queries must not depend on the number of
 * services or days. The use cases make figures of it: a window is a sum of stored days, stored hours and the raw checks of the present hour.
 */
export interface CheckReader {
  /** For each service that has a stored day, the sum of each range, in the same order. */
  sums(query: SumsQuery, context: ReadContext): Promise<ReadonlyMap<string, readonly Tally[]>>;
  /** Every service that has a check or a stored day. */
  present(query: PresentQuery, context: ReadContext): Promise<ReadonlyMap<string, PresentChecks>>;
  /** The stored days in the window without their hours, oldest first. */
  days(query: DaysQuery, context: ReadContext): Promise<ReadonlyMap<string, readonly StatusDay[]>>;
  /** The stored hours of a service in the window, oldest first. It begins and ends at full hours; the hour that begins at `to` is not included. */
  hours(serviceKey: string, window: Window, context: ReadContext): Promise<readonly StatusHour[]>;
  /** Raw checks, newest first, then by source. The `id` of a position is the source. */
  list(serviceKey: string, query: TimeListQuery, context: ReadContext): Promise<TimePage<Check>>;
}
