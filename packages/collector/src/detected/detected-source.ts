import { createHash } from 'node:crypto';
import { NO_REPOSITORY, type Incident, type Instant, type RecordIdentity, type Service } from '@vitrine/core';
import { putInBatches } from '../documents/put-in-batches.js';
import type { RunReport, Source, SourceContext } from '../source.js';
import { completedSync, type Registration } from '../sync-records.js';
import { detectedIncident } from './detected-incident.js';
import { parseDetectedState, stateWhileWriting, type DetectedState, type KnownIncident, type ServiceMemory } from './detected-state.js';
import { namedOutages } from './outage-ids.js';
import { findOutages, firstKeptDay } from './service-outages.js';

export interface DetectedSourceOptions {
  readonly intervalMs: number;
  /** How long the store keeps raw checks, in milliseconds. */
  readonly retentionMs: number;
  /** The public address of a service in Vitrine, by its key. */
  readonly addressOf: (key: string) => string;
}

/** What a run found for one service. */
interface ServiceResult {
  readonly memory: ServiceMemory;
  /** Records that differ from the stored ones. */
  readonly changed: readonly Incident[];
  readonly unchanged: number;
}

/** The id of the source's sync record. */
export const DETECTED_SOURCE = 'incident:detected by checks';

const NO_MEMORY: ServiceMemory = { name: '', days: [], incidents: [] };

/**
 * Stores an incident of the kind `detected` for each outage that the stored checks show. Services that somebody else runs are left out. A late check corrects
 * the incident in the next run. A run reads the counts of all days, and the raw checks only of days that have changed and matter to an outage.
 */
export class DetectedSource implements Source {
  readonly id = 'detected incidents';
  readonly intervalMs: number;
  readonly registration: Registration = {
    id: DETECTED_SOURCE,
    sourceType: 'incident',
    label: 'Detected by checks',
    repositoryRef: NO_REPOSITORY,
    feeds: ['incident'],
  };
  readonly #options: DetectedSourceOptions;

  constructor(options: DetectedSourceOptions) {
    this.intervalMs = options.intervalMs;
    this.#options = options;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const { writer, collection, clock } = context;
    const at = clock.now();
    const sync = await collection.sync(this.registration.id, context);
    const before = parseDetectedState(sync?.state ?? null);
    const results = await this.#results(before, at, context);
    const after: DetectedState = Object.fromEntries(results.map(([key, { memory }]) => [key, memory]));
    // First what is about to be stored: a record that nobody remembers would stay forever.
    const state = JSON.stringify(stateWhileWriting(before, after));
    if (sync !== null && state !== sync.state) await writer.put([{ ...sync, state }], context);
    const changed = results.flatMap(([, result]) => result.changed);
    const { stored, unchanged, refused } = await putInBatches(changed, null, context);
    const gone = goneOf(before, after, firstKeptDay(at, this.#options.retentionMs));
    const removed = gone.length === 0 ? 0 : await writer.remove(gone, context);
    await writer.put([completedSync(this.registration, this.intervalMs, sync, { at, state: JSON.stringify(after) })], context);
    const same = results.reduce((sum, [, result]) => sum + result.unchanged, 0);
    return { stored, unchanged: unchanged + same, removed, warnings: refused };
  }

  /** Of each service that has something to remember, sorted by key. */
  async #results(before: DetectedState, now: Instant, context: SourceContext): Promise<readonly (readonly [key: string, result: ServiceResult])[]> {
    const { collection, signal } = context;
    const [services, days] = [await collection.services(context), await collection.checkedDays(context)];
    const results: [string, ServiceResult][] = [];
    for (const [key, memory] of watched(services, before)) {
      signal.throwIfAborted();
      const read = (day: Instant) => collection.checksOf({ serviceKey: key, day }, context);
      const found = await findOutages({ days: days.get(key) ?? [], read }, memory, { now, keptFrom: firstKeptDay(now, this.#options.retentionMs) });
      const origin = { key, name: memory.name, address: this.#options.addressOf(key) };
      const known = new Map(found.known.map((incident) => [incident.id, incident]));
      const records = namedOutages(key, found.outages, found.known).map(({ id, outage }) => detectedIncident(id, outage, origin));
      const incidents = records.map((record) => ({ id: record.id, from: record.startedAt, until: record.resolvedAt, hash: hashOf(record) }));
      const changed = records.filter((_, index) => known.get(incidents[index]?.id ?? '')?.hash !== incidents[index]?.hash);
      if (found.days.length === 0 && incidents.length === 0) continue;
      results.push([key, { memory: { name: memory.name, days: [...found.days], incidents }, changed, unchanged: records.length - changed.length }]);
    }
    return results;
  }
}

/** The services whose outages count, by key. One that has left the configuration is watched until its last outage is over. */
function watched(services: readonly Service[], before: DetectedState): readonly (readonly [key: string, memory: ServiceMemory])[] {
  const all = new Map(Object.entries(before));
  for (const { key, displayName, dependency = false } of services)
    if (dependency) all.delete(key);
    else all.set(key, { ...(all.get(key) ?? NO_MEMORY), name: displayName });
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Incidents that the checks no longer show. @param keptFrom those that ended earlier stay, because their raw checks may be deleted */
function goneOf(before: DetectedState, after: DetectedState, keptFrom: Instant): readonly RecordIdentity[] {
  const shown = new Set(Object.values(after).flatMap(({ incidents }) => incidents.map(({ id }) => id)));
  const mayGo = ({ id, until }: KnownIncident): boolean => !shown.has(id) && (until === null || until >= keptFrom);
  return Object.values(before).flatMap(({ incidents }) => incidents.filter(mayGo).map(({ id }) => ({ kind: 'incident', id }) as const));
}

function hashOf(record: Incident): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, HASH_LENGTH);
}

const HASH_LENGTH = 12;
