import {
  DAY,
  INCIDENT_IMPACTS,
  type Incident,
  type Instant,
  formatInstant,
  latestVisible,
  NO_REPOSITORY,
  type CollectionReader,
  type ReadContext,
  type RecordIdentity,
  type Sync,
} from '@vitrine/core';
import { parseDetectedState, type KnownIncident } from '../detected/detected-incident.js';
import type { IncidentFile } from './incident-file.js';
import { incidentOf, type IncidentOrigin } from './incident-record.js';
import { z } from 'zod';
import type { FileAccess } from '../../files/file-access.js';
import { recordsAccess } from '../records/read-lines.js';
import { parseState, RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import { DETECTED_SOURCE } from '../detected/detected-source.js';
import { incidentFilesOf, readIncidents, versionsOf, type FoundFile } from './incident-files.js';

/** The impact of every detected incident. */
const DETECTED_IMPACT = 'major';
/** After this time, a declared incident keeps its covered incidents, because old outages are forgotten. */
const SETTLED_AFTER_MS = DAY;

/** The ids of the detected incidents that each declared one was found to cover, by the id of the declared one. */
type CoveredIds = Readonly<Record<string, readonly string[]>>;

/** Finds the detected incidents that a declared one covers although its file does not name them. */
class CoveredOutages {
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

interface IncidentsSourceOptions extends IncidentOrigin {
  /** A folder of Markdown files, one for each incident. */
  readonly folder: string;
  readonly intervalMs: number;
  /** Default: the instance that all records files of the process share. */
  readonly access?: FileAccess;
}

/** The ids that the source has stored, with the ids that they cover. */
const stateSchema = z.object({ ids: z.array(z.string()), covers: z.record(z.string(), z.array(z.string())).default({}) });
type State = z.output<typeof stateSchema>;

const MOST_WARNINGS = 100;
const PER_PUT = 500;

/**
 * Stores the incidents and planned maintenance of a folder, one Markdown file each, and removes those whose file is gone. An invalid file is reported, and
 * the record that it had before stays.
 */
export class IncidentsSource extends RegisteredSource {
  readonly #options: IncidentsSourceOptions;
  readonly #access: FileAccess;
  /** The versions of the files and detected incidents of the last read, the problems of the files, and the incidents with an update in the future. */
  #last: { readonly versions: string; readonly warnings: readonly string[]; readonly ahead: readonly Incident[] } | null = null;

  constructor(options: IncidentsSourceOptions) {
    const { label, intervalMs, access = recordsAccess } = options;
    const id = `incident:${label}`;
    super(`incidents ${label}`, intervalMs, { id, sourceType: 'incident', label, repositoryRef: NO_REPOSITORY, feeds: ['incident'] });
    this.#options = options;
    this.#access = access;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const at = context.clock.now();
    const files = await incidentFilesOf(this.#options.folder, this.#access, context.signal);
    const sync = await this.syncIn(context);
    const before = stateIn(sync);
    const detected = await detectedState(context);
    const versions = `${await versionsOf(files, this.#access, context)} ${String(detected)}`;
    const complete = (state: State): Promise<void> => this.complete(sync, { at, state: JSON.stringify(state) }, context);
    if (this.#last?.versions === versions) {
      await complete(before);
      const warnings = [...this.#last.warnings, ...futureWarnings(this.#last.ahead, at)];
      return { stored: 0, unchanged: before.ids.length, removed: 0, warnings };
    }
    const readings = await readIncidents(files, this.#access, context.signal);
    const outages = new CoveredOutages(detected, before.covers, at);
    const read = readings.flatMap(({ id, file }) => (id === null || file === null ? [] : outages.incidentOf(id, file, this.#options)));
    const incidents = read.map(({ incident }) => incident);
    const found = { ...before.covers, ...Object.fromEntries(read.map(({ incident: { id }, found: ids }) => [id, [...ids]])) };
    const known: State = { ids: [...new Set([...before.ids, ...incidents.map(({ id }) => id)])].sort(), covers: found };
    if (known.ids.length > before.ids.length) await this.remember(sync, JSON.stringify(known), context);
    const { refusals, ...counts } = await store(incidents, context);
    const { present, gone } = parted(known, files);
    const removed = gone.length === 0 ? 0 : await context.writer.remove(gone, context);
    await complete(present);
    const warnings = limited([...readings.flatMap(({ problems }) => problems), ...refusals]);
    const ahead = incidents.filter((incident) => isAhead(incident, at));
    this.#last = { versions, warnings, ahead };
    return { ...counts, removed, warnings: [...warnings, ...futureWarnings(ahead, at)] };
  }
}

/** The ids of the detected incidents that the files of a folder were found to cover, besides those that they name. @param label that of the folder's source */
export async function foundCovers(label: string, collection: Pick<CollectionReader, 'sync'>, context: ReadContext): Promise<readonly string[]> {
  const sync = await collection.sync(`incident:${label}`, context);
  return Object.values(stateIn(sync).covers).flat();
}

async function store(incidents: readonly Incident[], context: SourceContext) {
  const counts = { stored: 0, unchanged: 0, refusals: [] as string[] };
  for (let from = 0; from < incidents.length; from += PER_PUT) {
    const batch = incidents.slice(from, from + PER_PUT);
    const { stored, unchanged, refused } = await context.writer.put(batch, context);
    counts.stored += stored;
    counts.unchanged += unchanged;
    counts.refusals.push(...refused.map(({ index, reason }) => `the store refused the incident ${String(batch[index]?.id)}: ${reason}`));
    context.progress(from + batch.length, 'incidents', incidents.length);
  }
  return counts;
}

/** A wrong year would hide an incident without a word. */
function futureWarnings(incidents: readonly Incident[], now: Instant): readonly string[] {
  const ahead = incidents.filter((incident) => isAhead(incident, now));
  return limited(
    ahead.map(
      ({ id, updatedAt }) => `${id}.md: its newest update lies in the future, at ${formatInstant(updatedAt)}; correct the time, unless it is meant`,
    ),
  );
}

function isAhead({ updatedAt }: Incident, now: Instant): boolean {
  return updatedAt > latestVisible(now);
}

function limited(warnings: readonly string[]): readonly string[] {
  if (warnings.length <= MOST_WARNINGS) return warnings;
  return [...warnings.slice(0, MOST_WARNINGS), `… and ${String(warnings.length - MOST_WARNINGS)} more`];
}

function stateIn(sync: Sync | null): State {
  return parseState(stateSchema, sync?.state) ?? { ids: [], covers: {} };
}

async function detectedState(context: SourceContext): Promise<string | null> {
  return (await context.collection.sync(DETECTED_SOURCE, context))?.state ?? null;
}

/** What is known, without the incidents whose files are gone; and those. */
function parted({ ids, covers }: State, files: readonly FoundFile[]): { readonly present: State; readonly gone: readonly RecordIdentity[] } {
  const names = new Set<string | null>(files.map(({ id }) => id));
  return {
    present: {
      ids: ids.filter((id) => names.has(id)),
      covers: Object.fromEntries(Object.entries(covers).filter(([id, found]) => names.has(id) && found.length > 0)),
    },
    gone: ids.filter((id) => !names.has(id)).map((id) => ({ kind: 'incident', id })),
  };
}
