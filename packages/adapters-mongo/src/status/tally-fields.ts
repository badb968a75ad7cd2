import { SERVICE_STATES, type LatencyHistogram, type LatencySum, type ServiceState, type StateCounts } from '@vitrine/core';
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

const BYTES_PER_BUCKET = 6;

/** For each bucket its index in two bytes and its count in four, little endian. This takes a fourth of the size of BSON numbers. */
export const latencyBuckets: Codec<LatencyHistogram['buckets']> = {
  schema: { bsonType: 'binData' },
  encode(buckets) {
    const bytes = Buffer.alloc(buckets.length * BYTES_PER_BUCKET);
    for (const [index, [bucket, checks]] of buckets.entries()) {
      bytes.writeUInt16LE(bucket, index * BYTES_PER_BUCKET);
      bytes.writeUInt32LE(checks, index * BYTES_PER_BUCKET + 2);
    }
    return new Binary(bytes);
  },
  decode(stored, path) {
    if (!(stored instanceof Binary) || stored.position % BYTES_PER_BUCKET !== 0) return badValue(stored, path);
    const buckets: [number, number][] = [];
    const bytes = Buffer.from(stored.buffer.buffer, stored.buffer.byteOffset, stored.position);
    for (let at = 0; at < bytes.length; at += BYTES_PER_BUCKET) buckets.push([bytes.readUInt16LE(at), bytes.readUInt32LE(at + 2)]);
    return buckets;
  },
};

/** Adds stored buckets to a sum without decoding them one by one. Returns whether they are valid. */
export function addBuckets(sum: LatencySum, stored: unknown): boolean {
  if (!(stored instanceof Binary) || stored.position % BYTES_PER_BUCKET !== 0) return false;
  const bytes = new DataView(stored.buffer.buffer, stored.buffer.byteOffset, stored.position);
  for (let at = 0; at < stored.position; at += BYTES_PER_BUCKET) sum.addBucket(bytes.getUint16(at, true), bytes.getUint32(at + 2, true));
  return true;
}

export const latency = object({ buckets: latencyBuckets, max: whole(0) });
