import { DAY, formatDate, HOUR, startOfDay, type DayTally, type Instant, type Tally } from '@vitrine/core';
import { BadValue, badValue, isPlainObject, object, type BsonSchema, type Codec } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { serviceKey } from '../documents/shared-fields.js';
import { instant, nullable, text, whole } from '../documents/values.js';
import { latency, stateCounts } from './tally-fields.js';

/** The tally of one hour of a day. Hours without checks and coverage are left out. */
export interface HourTally extends Tally {
  /** 0 to 23. */
  readonly hour: number;
  /** The end of the longest validity of the hour's checks and all those before. */
  readonly coveredUntil: Instant;
}

/** The times of a source's checks on a day. */
export interface SourceTimes {
  readonly source: string;
  readonly newestAt: Instant;
  /** The newest check that was not `unknown`. */
  readonly knownAt: Instant | null;
}

/** Daily counts as they are stored. If the counts were imported, hours and sources are unknown. */
export interface StoredDay extends DayTally {
  readonly sources: readonly SourceTimes[];
  readonly hours: readonly HourTally[];
}

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

/** The fields that must be valid so that the server can add the document up. */
export const dayTotalsSchema: BsonSchema = object(totals).schema;

export const daySchema: BsonSchema = {
  ...fields.schema,
  properties: {
    _id: { bsonType: 'string', pattern: '^[A-Za-z0-9_.:-]{1,64} [0-9]{4}-[0-9]{2}-[0-9]{2}$' },
    ...(fields.schema['properties'] as object),
  },
};

export function dayId(serviceKey: string, day: Instant): string {
  return `${serviceKey} ${formatDate(day)}`;
}

export function dayDocument(day: StoredDay): StoredDocument {
  return { _id: dayId(day.serviceKey, day.day), ...(fields.encode(day) as object) };
}

/** Never throws: the result for an invalid document is a `BadValue`. */
export function dayOf(document: unknown): StoredDay | BadValue {
  const decoded = fields.decode(document, '');
  if (decoded instanceof BadValue) return decoded;
  if (decoded.day !== startOfDay(decoded.day)) return new BadValue('day', 'wrong');
  const id = isPlainObject(document) ? document['_id'] : undefined;
  return id === dayId(decoded.serviceKey, decoded.day) ? { kind: 'status-day', ...decoded } : new BadValue('_id', 'wrong');
}

/** The counts without the fields that only this store uses. */
export function tallyOfDay({ serviceKey, day, counts, coveredMs, latency, firstCheckedAt, lastCheckedAt, coveredUntil }: DayTally): DayTally {
  return { kind: 'status-day', serviceKey, day, counts, coveredMs, latency, firstCheckedAt, lastCheckedAt, coveredUntil };
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
