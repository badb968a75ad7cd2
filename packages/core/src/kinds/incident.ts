import type { ServiceState } from './check.js';
import type { KindFacts } from './fields.js';
import type { Instant } from './instant.js';
import type { Provenance } from './provenance.js';

export const INCIDENT_KINDS = ['declared', 'detected', 'maintenance'] as const;
export const INCIDENT_STATES = [
  'investigating',
  'identified',
  'monitoring',
  'resolved',
  'postmortem',
  'scheduled',
  'in_progress',
  'verifying',
  'completed',
] as const;
export const INCIDENT_IMPACTS = ['none', 'minor', 'major', 'critical', 'maintenance'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

export interface IncidentService {
  readonly key: string;
  readonly displayName: string;
  readonly impacts: readonly { readonly state: ServiceState; readonly startAt: Instant; readonly endAt: Instant | null }[];
}

export interface IncidentUpdate {
  readonly id: string;
  readonly state: IncidentState;
  readonly body: string;
  readonly createdAt: Instant;
}

export interface Incident {
  readonly kind: 'incident';
  readonly id: string;
  readonly title: string;
  /** The API calls this field `kind`. */
  readonly incidentKind: (typeof INCIDENT_KINDS)[number];
  readonly state: IncidentState;
  readonly impact: (typeof INCIDENT_IMPACTS)[number];
  readonly services: readonly IncidentService[];
  readonly startedAt: Instant;
  readonly updatedAt: Instant;
  readonly resolvedAt: Instant | null;
  readonly scheduledFor: Instant | null;
  readonly scheduledUntil: Instant | null;
  readonly announcedAt: Instant | null;
  readonly updates: readonly IncidentUpdate[];
  readonly sourceUrl: string | null;
  readonly provenance: Provenance;
  /** The ids of detected incidents that are the same event. Absent means none. */
  readonly covers?: readonly string[] | undefined;
  /** Of a detected incident: the number of checks that found the outage. Otherwise absent or `null`. */
  readonly confirmingChecks?: number | null | undefined;
  /** Of a detected incident: `true` if no check shows when the outage ended. Otherwise absent or `null`. */
  readonly endUncertain?: boolean | null | undefined;
}

const ENDED: ReadonlySet<IncidentState> = new Set<IncidentState>(['resolved', 'postmortem', 'completed']);

export function isUnresolved(incident: Pick<Incident, 'state'>): boolean {
  return !ENDED.has(incident.state);
}

/** The incidents that no other of the list covers, in the same order. */
export function withoutCovered(incidents: readonly Incident[]): readonly Incident[] {
  const covered = new Set(incidents.flatMap(({ covers = [] }) => covers));
  return incidents.filter(({ id, incidentKind }) => incidentKind !== 'detected' || !covered.has(id));
}

export const INCIDENT_FACTS = {
  plural: 'incidents',
  ownership: 'never',
  reader: 'own',
  filters: ['state', 'service', 'covers'],
  ownUrls: [],
  fixedTimes: [],
  filledTimes: [],
} as const satisfies KindFacts<Incident>;
