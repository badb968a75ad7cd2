import { BYTES_PER_BUCKET, packBuckets, SERVICE_STATES, type LatencyHistogram, type ServiceState, type StateCounts } from '@vitrine/core';
import { Binary } from 'mongodb';
import { BadValue, badValue, isPlainObject, object, type Codec } from '../documents/codec.js';
import { whole } from '../documents/values.js';

const count = whole(0);

/** Counts by state. Zero counts are left out. */
export const stateCounts: Codec<StateCounts> = {
  schema: { bsonType: 'object', properties: Object.fromEntries(SERVICE_STATES.map((state) => [state, count.schema])) },
  encode: (counts) => Object.fromEntries(SERVICE_STATES.filter((state) => counts[state] > 0).map((state) => [state, counts[state]])),
  decode(stored, path) {
    if (!isPlainObject(stored)) return badValue(stored, path);
    const counts: Record<ServiceState, number> = { operational: 0, degraded: 0, outage: 0, maintenance: 0, unknown: 0 };
    for (const state of SERVICE_STATES) {
      const value = stored[state] === undefined ? 0 : count.decode(stored[state], `${path}.${state}`);
      if (value instanceof BadValue) return value;
      counts[state] = value;
    }
    return counts;
  },
};

/** Six bytes for each bucket, as the core packs them. This takes a fourth of the size of BSON numbers. */
const latencyBuckets: Codec<LatencyHistogram['buckets']> = {
  schema: { bsonType: 'binData' },
  encode: (buckets) => new Binary(packBuckets(buckets)),
  decode(stored, path) {
    if (!(stored instanceof Binary) || stored.position % BYTES_PER_BUCKET !== 0) return badValue(stored, path);
    const buckets: [number, number][] = [];
    const bytes = new DataView(stored.buffer.buffer, stored.buffer.byteOffset, stored.position);
    for (let at = 0; at < stored.position; at += BYTES_PER_BUCKET) buckets.push([bytes.getUint16(at, true), bytes.getUint32(at + 2, true)]);
    return buckets;
  },
};

export const latency = object({ buckets: latencyBuckets, max: whole(0) });
