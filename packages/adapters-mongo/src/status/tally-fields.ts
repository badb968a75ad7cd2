import { SERVICE_STATES, type LatencyHistogram, type ServiceState, type StateCounts } from '@vitrine/core';
import { Binary } from 'mongodb';
import { BadValue, badValue, isPlainObject, object, type Codec } from '../documents/codec.js';
import { instant, nullable, oneOf, text, whole } from '../documents/values.js';

const count = whole(0);

/** Counts by state. Zero counts are left out; an index has `null` for them. */
export const stateCounts: Codec<StateCounts> = {
  schema: { bsonType: 'object', properties: Object.fromEntries(SERVICE_STATES.map((state) => [state, count.schema])) },
  encode: (counts) => Object.fromEntries(SERVICE_STATES.filter((state) => counts[state] > 0).map((state) => [state, counts[state]])),
  decode(stored, path) {
    if (!isPlainObject(stored)) return badValue(stored, path);
    const counts: Record<ServiceState, number> = { operational: 0, degraded: 0, outage: 0, maintenance: 0, unknown: 0 };
    for (const state of SERVICE_STATES) {
      const value = (stored[state] ?? null) === null ? 0 : count.decode(stored[state], `${path}.${state}`);
      if (value instanceof BadValue) return value;
      counts[state] = value;
    }
    return counts;
  },
};

/** The number of response times in each bucket, by the index of the bucket. Earlier versions stored six bytes for each. */
const latencyBuckets: Codec<LatencyHistogram['buckets']> = {
  schema: { anyOf: [{ bsonType: 'object', additionalProperties: count.schema }, { bsonType: 'binData' }] },
  encode: (buckets) => Object.fromEntries(buckets),
  decode(stored, path) {
    if (stored instanceof Binary) return bucketsOfBytes(stored) ?? badValue(stored, path);
    if (!isPlainObject(stored)) return badValue(stored, path);
    const buckets: [number, number][] = [];
    for (const [name, value] of Object.entries(stored)) {
      const bucket = Number(name);
      if (!Number.isInteger(bucket) || bucket < 0 || count.decode(value, path) instanceof BadValue) return badValue(stored, path);
      buckets.push([bucket, value as number]);
    }
    return buckets.sort(([a], [b]) => a - b);
  },
};

const BYTES_PER_BUCKET = 6;

function bucketsOfBytes({ buffer, position }: Binary): LatencyHistogram['buckets'] | null {
  if (position % BYTES_PER_BUCKET !== 0) return null;
  const bytes = new DataView(buffer.buffer, buffer.byteOffset, position);
  return Array.from({ length: position / BYTES_PER_BUCKET }, (_, index) => {
    const at = index * BYTES_PER_BUCKET;
    return [bytes.getUint16(at, true), bytes.getUint32(at + 2, true)] as const;
  });
}

export const latency = object({ buckets: latencyBuckets, max: whole(0) });

/** A list in which every element counts: if one is invalid, the list is invalid. */
export function everyOne<Value>(codec: Codec<Value>): Codec<readonly Value[]> {
  return {
    schema: { bsonType: 'array', items: codec.schema },
    encode: (values) => values.map((value) => codec.encode(value)),
    decode(stored, path) {
      if (!Array.isArray(stored)) return badValue(stored, path);
      const values: Value[] = [];
      for (const element of stored) {
        const value = codec.decode(element, path);
        if (value instanceof BadValue) return value;
        values.push(value);
      }
      return values;
    },
  };
}

const claim = object({
  source: text,
  state: oneOf(SERVICE_STATES),
  until: instant,
  rated: nullable(object({ state: oneOf(SERVICE_STATES), until: instant })),
});

/** What is counted of a day or an hour of at most `lengthMs`. Documents of earlier versions lack the fields that may be `null`, and claims. */
export function tallyFields(lengthMs: number) {
  const duration = whole(0, lengthMs);
  return {
    counts: stateCounts,
    coveredMs: duration,
    outageMs: nullable(duration),
    degradedMs: nullable(duration),
    changedAt: nullable(instant),
    latency,
    coveredUntil: instant,
    claims: orNone(everyOne(claim)),
  };
}

function orNone<Value>(codec: Codec<readonly Value[]>): Codec<readonly Value[]> {
  return { ...codec, decode: (stored, path) => (stored === undefined ? [] : codec.decode(stored, path)) };
}
