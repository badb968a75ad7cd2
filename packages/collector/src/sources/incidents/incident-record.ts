import { officialProvenance } from '../git/public-text.js';
import type { Incident, Instant, ServiceState } from '@vitrine/core';
import type { IncidentFile } from './incident-file.js';
import type { WrittenUpdate } from './incident-updates.js';

/** The parts of a record that are not in its file. */
export interface IncidentOrigin {
  readonly label: string;
  readonly addressOf: (id: string) => string;
  readonly names: ReadonlyMap<string, string>;
}

/** The state of an affected service, unless the file names another one. */
const STATES: Readonly<Record<Incident['impact'], ServiceState | null>> = {
  none: null,
  minor: 'degraded',
  major: 'outage',
  critical: 'outage',
  maintenance: 'maintenance',
};

const ENDED: readonly string[] = ['resolved', 'postmortem', 'completed'];

/** The record of an incident. The same file gives the same record at any time. */
export function incidentOf(id: string, file: IncidentFile, { label, addressOf, names }: IncidentOrigin): Incident {
  const [first] = file.updates;
  const { state, createdAt: updatedAt } = file.updates.at(-1) ?? first;
  const times = timesOf(file);
  return {
    kind: 'incident',
    id,
    title: file.title,
    state,
    impact: file.impact,
    ...times,
    services: file.services.map((service) => ({
      key: service.key,
      displayName: names.get(service.key) ?? service.key,
      impacts: impactsOf(service.state ?? STATES[file.impact], times.startedAt, times.resolvedAt),
    })),
    updatedAt,
    updates: file.updates.map((update, index) => ({ id: `${id}~${String(index + 1)}`, ...update })).reverse(),
    sourceUrl: file.url,
    provenance: officialProvenance({ label }, { sourceUrl: file.url ?? addressOf(id), observedAt: updatedAt }),
    ...(file.covers !== null && file.covers.length > 0 && { covers: file.covers }),
  };
}

type Times = Pick<Incident, 'incidentKind' | 'startedAt' | 'resolvedAt' | 'scheduledFor' | 'scheduledUntil' | 'announcedAt'>;

function timesOf({ window, startedAt, updates }: IncidentFile): Times {
  const { createdAt } = updates[0];
  const resolvedAt = resolvedAtOf(updates);
  if (window === null) {
    const none = { scheduledFor: null, scheduledUntil: null, announcedAt: null };
    return { incidentKind: 'declared', startedAt: startedAt ?? createdAt, resolvedAt, ...none };
  }
  const { from, until } = window;
  return { incidentKind: 'maintenance', startedAt: from, resolvedAt, scheduledFor: from, scheduledUntil: until, announcedAt: createdAt };
}

function impactsOf(state: ServiceState | null, startAt: Instant, endAt: Instant | null): Incident['services'][number]['impacts'] {
  return state === null ? [] : [{ state, startAt, endAt }];
}

/** The first of the updates at the end that all say that it is over; `null` if the newest one does not. */
function resolvedAtOf(updates: readonly WrittenUpdate[]): Instant | null {
  const ended = updates.slice(updates.findLastIndex(({ state }) => !ENDED.includes(state)) + 1);
  return ended[0]?.createdAt ?? null;
}
