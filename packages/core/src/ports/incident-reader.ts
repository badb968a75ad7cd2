import type { Instant } from '../domain/shared/instant.js';
import type { Incident } from '../domain/status/incident.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

/** `null` means any. */
export interface IncidentQuery extends TimeListQuery {
  readonly state: string | null;
  /** A service key. */
  readonly service: string | null;
  /** The id of a detected incident: only incidents that cover it. */
  readonly covers: string | null;
  /** Incidents that start later are excluded, except planned maintenance. */
  readonly notAfter: Instant;
}

export interface IncidentReader {
  list(query: IncidentQuery, context: ReadContext): Promise<TimePage<Incident>>;
  byId(id: string, context: ReadContext): Promise<Incident | null>;
  /** The unresolved incidents, newest first, at most 100. Those that start after `notAfter` are excluded, except planned maintenance. */
  unresolved(notAfter: Instant, context: ReadContext): Promise<readonly Incident[]>;
}
