import type { CollectionReader, Instant, ReadContext } from '@vitrine/core';
import { DETECTED_SOURCE } from './detected-source.js';
import { parseDetectedState } from './detected-incident.js';

/** A detected incident that can still change, as the source that stored it remembers it. */
export interface StoredDetected {
  readonly id: string;
  readonly serviceKey: string;
  /** The name of the service. */
  readonly name: string;
  readonly startedAt: Instant;
  /** `null` while it lasts. */
  readonly resolvedAt: Instant | null;
}

/** The detected incidents whose raw checks are stored, newest first. */
export async function storedDetected(collection: Pick<CollectionReader, 'sync'>, context: ReadContext): Promise<readonly StoredDetected[]> {
  const sync = await collection.sync(DETECTED_SOURCE, context);
  const services = Object.entries(parseDetectedState(sync?.state ?? null));
  const all = services.flatMap(([serviceKey, { name, incidents }]) =>
    incidents.map(({ id, from, until }) => ({ id, serviceKey, name, startedAt: from, resolvedAt: until })),
  );
  return all.sort((a, b) => b.startedAt - a.startedAt);
}
