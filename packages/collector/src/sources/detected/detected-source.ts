import { hash } from 'node:crypto';
import { EARLIEST_INSTANT, NO_REPOSITORY } from '@vitrine/core';
import type { Instant, RecordIdentity, Service, CollectionReader, ReadContext } from '@vitrine/core';
import { putInBatches } from '../../running/record-batches.js';
import { RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import { detectedIncident, parseDetectedState, stateWhileWriting, namedOutages, findOutages, firstKeptDay } from './detected-incident.js';
import type { DetectedState, ServiceMemory, FoundOutages } from './detected-incident.js';

export interface DetectedSourceOptions {
  readonly intervalMs: number;
  /** How long the store keeps raw checks, in milliseconds. */
  readonly retentionMs: number;
  readonly addressOf: (key: string) => string;
}

export const DETECTED_SOURCE = 'incident:detected by checks';

const NO_MEMORY: ServiceMemory = { name: '', from: EARLIEST_INSTANT, days: [], incidents: [] };

/** Stores an incident of the kind `detected` for each outage that the stored checks show, except of services that somebody else runs. A late check corrects it in the next run. */
export class DetectedSource extends RegisteredSource {
  readonly #options: DetectedSourceOptions;

  constructor(options: DetectedSourceOptions) {
    const registration = { label: 'Detected by checks', repositoryRef: NO_REPOSITORY, feeds: ['incident'] } as const;
    super('detected incidents', options.intervalMs, { id: DETECTED_SOURCE, sourceType: 'incident', ...registration });
    this.#options = options;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const { writer, clock } = context;
    const at = clock.now();
    const sync = await this.syncIn(context);
    const before = parseDetectedState(sync?.state);
    const results = await this.#results(before, at, context);
    const worthKeeping = results.filter(({ memory: { days, incidents } }) => days.length + incidents.length > 0);
    const after: DetectedState = Object.fromEntries(worthKeeping.map(({ key, memory }) => [key, memory]));
    // The ids come first: a record whose id is not in the state would stay forever.
    const state = JSON.stringify(stateWhileWriting(before, after));
    if (sync !== null && state !== sync.state) await writer.put([{ ...sync, state }], context);
    const changed = results.flatMap((result) => result.changed);
    const { stored, unchanged, refused } = await putInBatches(changed, null, context);
    const gone = results.flatMap((result) => result.gone).map((id): RecordIdentity => ({ kind: 'incident', id }));
    const removed = gone.length === 0 ? 0 : await writer.remove(gone, context);
    await this.complete(sync, { at, state: JSON.stringify(after) }, context);
    const same = results.reduce((sum, result) => sum + result.unchanged, 0);
    return { stored, unchanged: unchanged + same, removed, warnings: refused };
  }

  /** Of each service that counts, sorted by key, and of those that no longer count: all their incidents are gone. */
  async #results(before: DetectedState, now: Instant, context: SourceContext) {
    const { collection, signal } = context;
    const [services, days] = [await collection.services(context), await collection.checkedDays(context)];
    const memories = watched(services, before);
    const keptFrom = firstKeptDay(now, this.#options.retentionMs);
    const results: ReturnType<typeof resultOf>[] = [];
    for (const [key, memory] of memories) {
      signal.throwIfAborted();
      const read = (day: Instant) => collection.checksOf({ serviceKey: key, day }, context);
      const found = await findOutages({ days: days.get(key) ?? [], read }, memory, { now, keptFrom });
      results.push(resultOf({ key, name: memory.name, address: this.#options.addressOf(key) }, found));
    }
    const keys = new Set(memories.map(([key]) => key));
    for (const [key, { incidents }] of Object.entries(before))
      if (!keys.has(key)) results.push({ key, memory: NO_MEMORY, changed: [], unchanged: 0, gone: incidents.map(({ id }) => id) });
    return results;
  }
}

function resultOf(origin: Readonly<Record<'key' | 'name' | 'address', string>>, { outages, days, from, known }: FoundOutages) {
  const { key, name } = origin;
  const hashes = new Map(known.map((incident) => [incident.id, incident.hash]));
  const records = namedOutages(key, outages, known).map(({ id, outage }) => detectedIncident(id, outage, origin));
  const incidents = records.map((record) => ({
    id: record.id,
    from: record.startedAt,
    until: record.resolvedAt,
    hash: hash('sha256', JSON.stringify(record), 'base64url').slice(0, 12),
  }));
  /** The records that differ from the stored ones. */
  const changed = records.filter(({ id }, index) => hashes.get(id) !== incidents[index]?.hash);
  for (const { id } of records) hashes.delete(id);
  const memory = { name, from, days: [...days], incidents };
  // What is left are the ids of incidents that the checks no longer show.
  return { key, memory, changed, unchanged: records.length - changed.length, gone: [...hashes.keys()] };
}

/** The services whose outages count, by key. One that has left the configuration is watched until its last outage is over. */
function watched(services: readonly Service[], before: DetectedState): readonly (readonly [key: string, memory: ServiceMemory])[] {
  const all = new Map(Object.entries(before));
  for (const { key, displayName, dependency = false } of services)
    if (dependency) all.delete(key);
    else all.set(key, { ...(all.get(key) ?? NO_MEMORY), name: displayName });
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A detected incident that can still change, as the source that stored it remembers it. */
export interface StoredDetected {
  readonly id: string;
  readonly serviceKey: string;
  readonly name: string;
  readonly startedAt: Instant;
  /** `null` while it lasts. */
  readonly resolvedAt: Instant | null;
}

/** The detected incidents whose raw checks are stored, newest first. */
export async function storedDetected(collection: Pick<CollectionReader, 'sync'>, context: ReadContext): Promise<readonly StoredDetected[]> {
  const sync = await collection.sync(DETECTED_SOURCE, context);
  const services = Object.entries(parseDetectedState(sync?.state));
  const all = services.flatMap(([serviceKey, { name, incidents }]) =>
    incidents.map(({ id, from, until }) => ({ id, serviceKey, name, startedAt: from, resolvedAt: until })),
  );
  return all.sort((a, b) => b.startedAt - a.startedAt);
}
