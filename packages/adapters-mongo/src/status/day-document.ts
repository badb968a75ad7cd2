import { DAY, formatDate, HOUR, packDay, packHours, startOfDay, type CountedDay, type HourTally, type Instant } from '@vitrine/core';
import { Binary } from 'mongodb';
import { BadValue, badValue, isPlainObject, object, type BsonSchema, type Codec } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { serviceKey } from '../documents/shared-fields.js';
import { instant, nullable, text, whole } from '../documents/values.js';
import { latency, stateCounts } from './tally-fields.js';

export const hourTally: Codec<HourTally> = object({
  hour: whole(0, 23),
  counts: stateCounts,
  coveredMs: whole(0, HOUR),
  latency,
  coveredUntil: instant,
});

const totals = {
  serviceKey,
  day: instant,
  counts: stateCounts,
  coveredMs: whole(0, DAY),
  latency,
  firstCheckedAt: instant,
  lastCheckedAt: instant,
  coveredUntil: instant,
};

const fields = object({
  ...totals,
  sources: everyOne(object({ source: text, newestAt: instant, knownAt: nullable(instant) })),
  hours: everyOne(hourTally),
});

/** The fields that are added up. */
export const dayTotals = object(totals);

export const daySchema: BsonSchema = {
  ...fields.schema,
  properties: {
    _id: { bsonType: 'string', pattern: '^[A-Za-z0-9_.:-]{1,64} [0-9]{4}-[0-9]{2}-[0-9]{2}$' },
    ...(fields.schema['properties'] as object),
    packed: { bsonType: 'binData' },
    packedHours: { bsonType: 'binData' },
  },
};

/** The projection for those who need only the totals of days. */
export const WITHOUT_HOURS = { hours: 0, packedHours: 0 } as const;

export function dayId(serviceKey: string, day: Instant): string {
  return `${serviceKey} ${formatDate(day)}`;
}

/** The totals are also stored packed, so that a year of days is read from an index; and the hours, because a status reads those of today for every service. */
export function dayDocument(day: CountedDay): StoredDocument {
  const [packed, packedHours] = [packDay(day), packHours(day)];
  return {
    _id: dayId(day.serviceKey, day.day),
    ...(fields.encode(day) as object),
    ...(packed !== null && { packed: new Binary(packed) }),
    ...(packedHours !== null && { packedHours: new Binary(packedHours) }),
  };
}

/** Never throws: the result for an invalid document is a `BadValue`. */
export function dayOf(document: unknown): CountedDay | BadValue {
  const decoded = fields.decode(document, '');
  if (decoded instanceof BadValue) return decoded;
  if (decoded.day !== startOfDay(decoded.day)) return new BadValue('day', 'wrong');
  const id = isPlainObject(document) ? document['_id'] : undefined;
  return id === dayId(decoded.serviceKey, decoded.day) ? { kind: 'status-day', ...decoded } : new BadValue('_id', 'wrong');
}

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
