import {
  type AnyField,
  type Check,
  DAY,
  FACTS,
  formatDate,
  HOUR,
  type Instant,
  LATEST_INSTANT,
  type LatencyHistogram,
  type LatestState,
  MAX_RESPONSE_TIME_MS,
  MAX_VALIDITY_MS,
  NO_CHECKS,
  type Provenance,
  publishableRecord,
  SERVICE_STATES,
  type ServiceDay,
  type ServiceState,
  startOfDay,
  type StateCounts,
  type StatusDay,
  type StatusHour,
} from '@vitrine/core';
import { Binary, type Document } from 'mongodb';
import {
  BadValue,
  badValue,
  codecOf,
  everyOne,
  instant,
  isPlainObject,
  nullable,
  object,
  oneOf,
  optional,
  serviceKey,
  text,
  whole,
} from '../documents/codec.js';
import type { BsonSchema, Codec, StoredDocument } from '../documents/codec.js';

const count = whole(0);

/** Counts by state. Zero counts are left out; an index has `null` for them. */
export const stateCounts: Codec<StateCounts> = {
  schema: { bsonType: 'object', properties: Object.fromEntries(SERVICE_STATES.map((state) => [state, count.schema])) },
  encode: (counts) => Object.fromEntries(SERVICE_STATES.filter((state) => counts[state] > 0).map((state) => [state, counts[state]])),
  decode(stored, path) {
    if (!isPlainObject(stored)) return badValue(stored, path);
    const counts: Record<ServiceState, number> = { ...NO_CHECKS };
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

const knownClaims = everyOne(
  object({
    source: text,
    state: oneOf(SERVICE_STATES),
    until: instant,
    rated: nullable(object({ state: oneOf(SERVICE_STATES), until: instant })),
  }),
);
const claims: typeof knownClaims = { ...knownClaims, decode: (stored, path) => (stored === undefined ? [] : knownClaims.decode(stored, path)) };

/** What is counted of a day or an hour of at most `lengthMs`. Documents of earlier versions lack the fields that may be `null`, and claims. */
function tallyFields(lengthMs: number) {
  const duration = whole(0, lengthMs);
  return {
    counts: stateCounts,
    coveredMs: duration,
    outageMs: nullable(duration),
    degradedMs: nullable(duration),
    changedAt: nullable(instant),
    latency,
    coveredUntil: instant,
    claims,
  };
}

const ID: BsonSchema = { bsonType: 'string', pattern: '^[A-Za-z0-9_.:-]{1,64} [0-9]{4}-[0-9]{2}-[0-9]{2}$' };

const dayFields = object({ serviceKey, day: instant, ...tallyFields(DAY), firstCheckedAt: nullable(instant), lastCheckedAt: nullable(instant) });
const hour = object({ hour: instant, ...tallyFields(HOUR) });
const hoursFields = object({ serviceKey, day: instant, hours: everyOne(hour) });
/** Earlier versions stored the hours in the document of the day, by their number. */
const oldHours = object({ serviceKey, day: instant, hours: everyOne(object({ ...tallyFields(HOUR), hour: whole(0, 23) })) });

export const daySchema = schemaWithId(dayFields, ID);
export const hoursSchema = schemaWithId(hoursFields, ID);

function schemaWithId({ schema }: Pick<Codec<unknown>, 'schema'>, id: BsonSchema): BsonSchema {
  return { ...schema, properties: { _id: id, ...(schema['properties'] as object) } };
}

/** The decoded value, if the id of its document is the one that follows from it. */
function withId<Value>(document: Document, decoded: Value | BadValue, idOf: (value: Value) => string): Value | BadValue {
  return decoded instanceof BadValue || document['_id'] === idOf(decoded) ? decoded : new BadValue('_id', 'wrong');
}

export function dayId(serviceKey: string, day: Instant): string {
  return `${serviceKey} ${formatDate(day)}`;
}

export function dayDocument(day: StatusDay): StoredDocument {
  return { _id: dayId(day.serviceKey, day.day), ...(dayFields.encode(day) as object) };
}

/** Without its hours. */
export function dayOf(document: Document): StatusDay | BadValue {
  const day = ofDay(document, dayFields.decode(document, ''));
  if (day instanceof BadValue) return day;
  // When the state changed last is not known of days that earlier versions have counted, but not later than this.
  const changedAt = day.outageMs === null ? day.lastCheckedAt : day.changedAt;
  return { kind: 'status-day', ...day, changedAt, hours: [] };
}

const { latency: _latency, coveredUntil: _coveredUntil, claims: _claims, ...plainTally } = tallyFields(DAY);
const plainFields = object({ serviceKey, day: instant, ...plainTally });

export function plainDayOf(document: Document) {
  return plainFields.decode(document, '');
}

export function hoursDocument({ serviceKey: key, day, hours }: StatusDay): StoredDocument {
  return { _id: dayId(key, day), ...(hoursFields.encode({ serviceKey: key, day, hours }) as object) };
}

/** The hours of a day, from their own document, or from that of a day that an earlier version has written. */
export function hoursOf(document: Document): (ServiceDay & { readonly hours: readonly StatusHour[] }) | BadValue {
  const decoded = hoursFields.decode(document, '');
  if (!(decoded instanceof BadValue)) return ofDay(document, decoded);
  const old = oldHours.decode(document, '');
  if (old instanceof BadValue) return decoded;
  return { ...old, hours: old.hours.map((one) => ({ ...one, hour: old.day + one.hour * HOUR })) };
}

function ofDay<Decoded extends ServiceDay>(document: Document, decoded: Decoded | BadValue): Decoded | BadValue {
  if (!(decoded instanceof BadValue) && decoded.day !== startOfDay(decoded.day)) return new BadValue('day', 'wrong');
  return withId(document, decoded, ({ serviceKey: key, day }) => dayId(key, day));
}

const plainCheck = object({
  serviceKey,
  state: oneOf(SERVICE_STATES),
  rawState: text,
  checkedAt: instant,
  responseTimeMs: nullable(whole(0, MAX_RESPONSE_TIME_MS)),
  validForMs: whole(0, MAX_VALIDITY_MS),
  provenance: codecOf(FACTS.check.fields['provenance'] as AnyField) as Codec<Provenance>,
});

const checkFields: Codec<Check> = {
  schema: plainCheck.schema,
  encode: (check) => plainCheck.encode(check),
  decode(stored, path) {
    const decoded = plainCheck.decode(stored, path);
    if (decoded instanceof BadValue) return decoded;
    const check = publishableRecord<Check>({ kind: 'check', ...decoded });
    return typeof check === 'string' ? new BadValue(path, check) : check;
  },
};

export const checkSchema = schemaWithId(plainCheck, { bsonType: 'string', pattern: '^[A-Za-z0-9_.:-]{1,64} [0-9]{15} ' });

export function checkDocument(check: Check): StoredDocument {
  return { _id: checkId(check.serviceKey, check.checkedAt, check.provenance.source), ...(checkFields.encode(check) as object) };
}

export function checkOf(document: Document): Check | BadValue {
  const check = checkFields.decode(document, '');
  return withId(document, check, ({ serviceKey: key, checkedAt, provenance: { source } }) => checkId(key, checkedAt, source));
}

/** The later a check, the lower the number in its id. So sorted ids have the order of the history, newest first and then by source, and no other index is needed. */
export function checkId(serviceKey: string, checkedAt: Instant, source: string): string {
  return `${timePrefix(serviceKey, checkedAt)} ${source.toWellFormed()}`;
}

/** The range of ids of a service's checks between two times, both included. */
export function checkIdRange(serviceKey: string, from: Instant, to: Instant): { readonly $gte: string; readonly $lt: string } {
  // `!` is the character after the space that ends the number.
  return { $gte: timePrefix(serviceKey, to), $lt: `${timePrefix(serviceKey, from)}!` };
}

function timePrefix(serviceKey: string, time: Instant): string {
  return `${serviceKey} ${String(LATEST_INSTANT - time).padStart(15, '0')}`;
}

const latestFields = object({
  serviceKey,
  firstCheckedAt: instant,
  lastCheckedAt: instant,
  sources: everyOne(object({ newest: checkFields, known: optional(checkFields) })),
});

export const latestSchema = schemaWithId(latestFields, serviceKey.schema);

/** If the newest check is not `unknown`, it is also the newest known one, and is stored only once. */
export function latestDocument({ sources, ...latest }: LatestState): StoredDocument {
  const stored = sources.map(({ newest, known }) => (known === null || known === newest ? { newest } : { newest, known }));
  return { _id: latest.serviceKey, ...(latestFields.encode({ ...latest, sources: stored }) as object) };
}

export function latestOf(document: Document): LatestState | BadValue {
  const decoded = withId(document, latestFields.decode(document, ''), ({ serviceKey: key }) => key);
  if (decoded instanceof BadValue) return decoded;
  const sources = decoded.sources.map(({ newest, known = null }) => ({ newest, known: newest.state === 'unknown' ? known : newest }));
  return { ...decoded, sources };
}
