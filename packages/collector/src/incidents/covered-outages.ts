import { DAY, INCIDENT_IMPACTS, type Incident, type Instant } from '@vitrine/core';
import { parseDetectedState, type KnownIncident } from '../detected/detected-state.js';
import type { IncidentFile } from './incident-file.js';
import { incidentOf, type IncidentOrigin } from './incident-record.js';

/** The impact of every detected incident. */
const DETECTED_IMPACT = 'major';
/** After this time, a declared incident keeps its covered incidents, because old outages are forgotten. */
const SETTLED_AFTER_MS = DAY;

/** The ids of the detected incidents that each declared one was found to cover, by the id of the declared one. */
export type CoveredIds = Readonly<Record<string, readonly string[]>>;

/** Finds the detected incidents that a declared one covers although its file does not name them. */
export class CoveredOutages {
  readonly #byService: ReadonlyMap<string, readonly KnownIncident[]>;
  readonly #before: CoveredIds;
  readonly #now: Instant;

  /**
   * @param detected the state of the source of detected incidents
   * @param before the result of the last run
   */
  constructor(detected: string | null, before: CoveredIds, now: Instant) {
    this.#byService = new Map(Object.entries(parseDetectedState(detected)).map(([key, { incidents }]) => [key, incidents]));
    this.#before = before;
    this.#now = now;
  }

  /** The record of a file. It covers the outages of its services that were open when it began or began before it ended, and shows at least their impact. */
  incidentOf(id: string, file: IncidentFile, origin: IncidentOrigin): { readonly incident: Incident; readonly found: readonly string[] } {
    const incident = incidentOf(id, file, origin);
    const found = incident.incidentKind === 'declared' && file.covers?.length !== 0 ? this.#found(incident) : [];
    if (found.length === 0) return { incident, found };
    const covers = [...new Set([...(file.covers ?? []), ...found])];
    return { incident: incidentOf(id, { ...file, impact: atLeastDetected(file.impact), covers }, origin), found };
  }

  #found({ id, services, startedAt, resolvedAt }: Incident): readonly string[] {
    const known = this.#before[id];
    if (known !== undefined && resolvedAt !== null && resolvedAt < this.#now - SETTLED_AFTER_MS) return known;
    const isCovered = ({ from, until }: KnownIncident): boolean => from < (resolvedAt ?? Infinity) && (until ?? Infinity) > startedAt;
    return services.flatMap(({ key }) => (this.#byService.get(key) ?? []).filter(isCovered).map((outage) => outage.id)).sort();
  }
}

function atLeastDetected(impact: Incident['impact']): Incident['impact'] {
  return INCIDENT_IMPACTS.indexOf(impact) < INCIDENT_IMPACTS.indexOf(DETECTED_IMPACT) ? DETECTED_IMPACT : impact;
}
