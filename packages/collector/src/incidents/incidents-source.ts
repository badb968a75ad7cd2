import { formatInstant, latestVisible, NO_REPOSITORY, type Incident, type Instant, type RecordIdentity } from '@vitrine/core';
import { z } from 'zod';
import type { FileAccess } from '../files/file-access.js';
import { recordsAccess } from '../records/file-lines.js';
import type { RunReport, Source, SourceContext } from '../source.js';
import { completedSync, type Registration } from '../sync-records.js';
import { incidentFilesOf, readIncidents, versionsOf } from './incident-files.js';
import { incidentOf, type IncidentOrigin } from './incident-record.js';

export interface IncidentsSourceOptions extends IncidentOrigin {
  /** A folder of Markdown files, one for each incident. */
  readonly folder: string;
  readonly intervalMs: number;
  /** Default: the instance that all records files of the process share. */
  readonly access?: FileAccess;
}

/** The ids that the source has stored. */
const stateSchema = z.object({ ids: z.array(z.string()) });

const MOST_WARNINGS = 100;
const PER_PUT = 500;

/**
 * Stores the incidents and planned maintenance of a folder, one Markdown file each, and removes those whose file is gone. An invalid file is reported, and
 * the record that it had before stays.
 */
export class IncidentsSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly registration: Registration;
  readonly #options: IncidentsSourceOptions;
  readonly #access: FileAccess;
  /** What the files looked like when they were read last, what was wrong with them, and the incidents with an update in the future. */
  #last: { readonly versions: string; readonly warnings: readonly string[]; readonly ahead: readonly Incident[] } | null = null;

  constructor(options: IncidentsSourceOptions) {
    const { label, intervalMs, access = recordsAccess } = options;
    this.id = `incidents ${label}`;
    this.intervalMs = intervalMs;
    this.registration = { id: `incident:${label}`, sourceType: 'incident', label, repositoryRef: NO_REPOSITORY, feeds: ['incident'] };
    this.#options = options;
    this.#access = access;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const at = context.clock.now();
    const files = await incidentFilesOf(this.#options.folder, this.#access, context.signal);
    const sync = await context.collection.sync(this.registration.id, context);
    const before = parseState(sync?.state ?? null);
    const versions = await versionsOf(files, this.#access, context);
    const complete = async (ids: readonly string[]): Promise<void> => {
      await context.writer.put([completedSync(this.registration, this.intervalMs, sync, { at, state: stateOf(ids) })], context);
    };
    if (this.#last?.versions === versions) {
      await complete(before);
      const standing = [...this.#last.warnings, ...futureWarnings(this.#last.ahead, at)];
      return { stored: 0, unchanged: before.length, removed: 0, warnings: [], standing };
    }
    const readings = await readIncidents(files, this.#access, context.signal);
    const incidents = readings.flatMap(({ id, file }) => (id === null || file === null ? [] : incidentOf(id, file, this.#options)));
    const ids = [...new Set([...before, ...incidents.map(({ id }) => id)])].sort();
    // First the ids of what is about to be stored: a record that nobody remembers would stay forever.
    if (sync !== null && ids.length > before.length) await context.writer.put([{ ...sync, state: stateOf(ids) }], context);
    const counts = await store(incidents, context);
    const present = new Set(files.map(({ id }) => id));
    const isGone = (id: string): boolean => !present.has(id);
    const gone: readonly RecordIdentity[] = ids.filter(isGone).map((id) => ({ kind: 'incident', id }));
    const removed = gone.length === 0 ? 0 : await context.writer.remove(gone, context);
    await complete(ids.filter((id) => !isGone(id)));
    const warnings = limited([...readings.flatMap(({ problems }) => problems), ...counts.refusals]);
    const ahead = incidents.filter((incident) => isAhead(incident, at));
    this.#last = { versions, warnings, ahead };
    return { stored: counts.stored, unchanged: counts.unchanged, removed, warnings: [...warnings, ...futureWarnings(ahead, at)] };
  }
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

function stateOf(ids: readonly string[]): string {
  return JSON.stringify({ ids });
}

function parseState(text: string | null): readonly string[] {
  try {
    return stateSchema.parse(JSON.parse(text ?? '')).ids;
  } catch {
    return [];
  }
}
