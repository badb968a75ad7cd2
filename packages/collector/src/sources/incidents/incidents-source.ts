import { DAY, INCIDENT_IMPACTS, formatInstant, latestVisible, NO_REPOSITORY } from '@vitrine/core';
import type { Incident, Instant, CollectionReader, ReadContext, RecordIdentity, Sync, ServiceState } from '@vitrine/core';
import { keyInDetectedId, parseDetectedState, type KnownIncident } from '../detected/detected-incident.js';
import { fileAt, type IncidentFile } from './incident-file.js';
import { z } from 'zod';
import { putInBatches } from '../../running/record-batches.js';
import { parseState, RegisteredSource } from '../../running/registered-source.js';
import { firstOf, type RunReport, type SourceContext } from '../../running/source.js';
import { DETECTED_SOURCE } from '../detected/detected-source.js';
import { readIncidentFolder, type FileReading } from './incident-folder.js';
import { officialProvenance } from '../git/public-text.js';

const DETECTED_IMPACT = 'major';
/** After this time, a declared incident keeps its covered incidents, because old outages are forgotten. */
const SETTLED_AFTER_MS = DAY;

/** The ids of the detected incidents that each declared one was found to cover, by the id of the declared one. */
type CoveredIds = Readonly<Record<string, readonly string[]>>;

/** Finds detected incidents that a file does not name: outages of its services that were open when it began or began before it ended. @param before what was found last */
function coverFinder(detected: string | null, before: CoveredIds, now: Instant): (incident: Incident) => readonly string[] {
  const byService = parseDetectedState(detected);
  return ({ id, services, startedAt, resolvedAt }) => {
    // The id may be the name of a property that every object has.
    const known = Object.hasOwn(before, id) ? before[id] : undefined;
    if (known !== undefined && resolvedAt !== null && resolvedAt < now - SETTLED_AFTER_MS) return known;
    const isCovered = ({ from, until }: KnownIncident): boolean => from < (resolvedAt ?? Infinity) && (until ?? Infinity) > startedAt;
    return services.flatMap(({ key }) => (byService[key]?.incidents ?? []).filter(isCovered).map((outage) => outage.id)).sort();
  };
}

/** The record of a file, and the ids that were found. The incident has at least the impact of the outages that it covers, and so have their services, unless the file says more. */
function incidentOfFile(id: string, file: IncidentFile, origin: IncidentOrigin, find: ReturnType<typeof coverFinder>) {
  const incident = incidentOf(id, file, origin);
  const found = incident.incidentKind === 'declared' && file.covers?.length !== 0 ? find(incident) : [];
  if (found.length === 0) return { incident, found };
  const covers = [...new Set([...(file.covers ?? []), ...found])];
  const down = new Set(found.map(keyInDetectedId));
  const services = file.services.map(({ key, state }) => ({ key, state: state ?? (down.has(key) ? STATES[DETECTED_IMPACT] : null) }));
  const isLess = INCIDENT_IMPACTS.indexOf(file.impact) < INCIDENT_IMPACTS.indexOf(DETECTED_IMPACT);
  return { incident: { ...incidentOf(id, { ...file, services, covers }, origin), impact: isLess ? DETECTED_IMPACT : file.impact }, found };
}

/** `names`: those of the services that the files use, by their keys. A service may be gone before its incidents. */
const stateSchema = z.object({
  ids: z.array(z.string()),
  covers: z.record(z.string(), z.array(z.string())).default({}),
  names: z.record(z.string(), z.string()).default({}),
});
type State = z.output<typeof stateSchema>;

const MOST_WARNINGS = 100;

/** Stores the incidents and planned maintenance of a folder, one Markdown file each. If a file is invalid, the record that it had before stays. */
export class IncidentsSource extends RegisteredSource {
  constructor(private readonly options: IncidentOrigin & { readonly folder: string; readonly intervalMs: number }) {
    const { label, intervalMs } = options;
    const id = `incident:${label}`;
    super(`incidents ${label}`, intervalMs, { id, sourceType: 'incident', label, repositoryRef: NO_REPOSITORY, feeds: ['incident'] });
  }

  async run(context: SourceContext): Promise<RunReport> {
    const at = context.clock.now();
    const readings = await readIncidentFolder(this.options.folder, context.signal);
    const sync = await this.syncIn(context);
    const before = stateIn(sync);
    const detected = (await context.collection.sync(DETECTED_SOURCE, context))?.state ?? null;
    const find = coverFinder(detected, before.covers, at);
    // Status pages and records files bring services, too.
    const services = (await context.collection.services(context)).map(({ key, displayName }) => [key, displayName] as const);
    const origin = { ...this.options, names: new Map([...Object.entries(before.names), ...services, ...this.options.names]) };
    const read = readings.flatMap(({ id, file }) => (id === null || file === null ? [] : incidentOfFile(id, fileAt(file, at), origin, find)));
    const incidents = read.map(({ incident }) => incident);
    const found = { ...before.covers, ...Object.fromEntries(read.map(({ incident: { id }, found: ids }) => [id, [...ids]])) };
    // An invalid file may use any of the names from before.
    const names = { ...(readings.some(({ file }) => file === null) && before.names), ...namesIn(incidents) };
    const known: State = { ids: [...new Set([...before.ids, ...incidents.map(({ id }) => id)])].sort(), covers: found, names };
    if (known.ids.length > before.ids.length) await this.remember(sync, JSON.stringify(known), context);
    const { stored, unchanged, refusedRecords } = await putInBatches(incidents, null, context, 'incidents');
    const refusals = refusedRecords.map(({ index, reason }) => `the store refused the incident ${String(incidents[index]?.id)}: ${reason}`);
    const { present, gone } = parted(known, readings);
    const removed = gone.length === 0 ? 0 : await context.writer.remove(gone, context);
    await this.complete(sync, { at, state: JSON.stringify(present) }, context);
    const warnings = [...readings.flatMap(({ problems }) => problems), ...refusals, ...futureWarnings(incidents, at)];
    return { stored, unchanged, removed, warnings: firstOf(warnings, MOST_WARNINGS) };
  }
}

/** The ids of the detected incidents that the files of a folder were found to cover, besides those that they name. @param label that of the folder's source */
export async function foundCovers(label: string, collection: Pick<CollectionReader, 'sync'>, context: ReadContext): Promise<readonly string[]> {
  const sync = await collection.sync(`incident:${label}`, context);
  return Object.values(stateIn(sync).covers).flat();
}

function namesIn(incidents: readonly Incident[]): State['names'] {
  const named = incidents.flatMap(({ services }) => services.filter(({ key, displayName }) => displayName !== key));
  return Object.fromEntries(named.map(({ key, displayName }) => [key, displayName]));
}

/** A wrong year would hide an incident without a word. */
function futureWarnings(incidents: readonly Incident[], now: Instant): readonly string[] {
  const ahead = incidents.filter(({ updatedAt }) => updatedAt > latestVisible(now));
  return ahead.map(
    ({ id, updatedAt }) => `${id}.md: its newest update lies in the future, at ${formatInstant(updatedAt)}; correct the time, unless it is meant`,
  );
}

function stateIn(sync: Sync | null): State {
  return parseState(stateSchema, sync?.state) ?? { ids: [], covers: {}, names: {} };
}

function parted({ ids, covers, names }: State, files: readonly FileReading[]): { readonly present: State; readonly gone: readonly RecordIdentity[] } {
  const written = new Set<string | null>(files.map(({ id }) => id));
  return {
    present: {
      ids: ids.filter((id) => written.has(id)),
      covers: Object.fromEntries(Object.entries(covers).filter(([id, found]) => written.has(id) && found.length > 0)),
      names,
    },
    gone: ids.filter((id) => !written.has(id)).map((id) => ({ kind: 'incident', id })),
  };
}

interface IncidentOrigin {
  readonly label: string;
  readonly addressOf: (id: string) => string;
  readonly names: ReadonlyMap<string, string>;
}

const STATES: Readonly<Record<Incident['impact'], ServiceState | null>> = {
  none: null,
  minor: 'degraded',
  major: 'outage',
  critical: 'outage',
  maintenance: 'maintenance',
};

const ENDED: readonly string[] = ['resolved', 'postmortem', 'completed'];

/** The record of an incident. The same file gives the same record at any time. */
function incidentOf(id: string, file: IncidentFile, { label, addressOf, names }: IncidentOrigin): Incident {
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
    services: file.services.map(({ key, state: stated }) => {
      const affected = stated ?? STATES[file.impact];
      const impacts = affected === null ? [] : [{ state: affected, startAt: times.startedAt, endAt: times.resolvedAt }];
      return { key, displayName: names.get(key) ?? key, impacts };
    }),
    updatedAt,
    updates: file.updates.map((update, index) => ({ id: `${id}~${String(index + 1)}`, ...update })).reverse(),
    sourceUrl: file.url,
    provenance: officialProvenance({ label }, { sourceUrl: file.url ?? addressOf(id), observedAt: updatedAt }),
    ...(file.covers !== null && file.covers.length > 0 && { covers: file.covers }),
  };
}

function timesOf({ window, startedAt, updates }: IncidentFile) {
  const { createdAt } = updates[0];
  // The first of the updates at the end that all say that it is over.
  const ended = updates.slice(updates.findLastIndex(({ state }) => !ENDED.includes(state)) + 1);
  const resolvedAt = ended[0]?.createdAt ?? null;
  if (window === null) {
    const none = { scheduledFor: null, scheduledUntil: null, announcedAt: null };
    return { incidentKind: 'declared', startedAt: startedAt ?? createdAt, resolvedAt, ...none } as const;
  }
  const { from, until } = window;
  return { incidentKind: 'maintenance', startedAt: from, resolvedAt, scheduledFor: from, scheduledUntil: until, announcedAt: createdAt } as const;
}
