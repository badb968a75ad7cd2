import { DAY, formatDate, HOUR, startOfDay, type Instant, type ServiceDay, type StatusDay, type StatusHour } from '@vitrine/core';
import { BadValue, isPlainObject, object, type BsonSchema, type Codec } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { serviceKey } from '../documents/shared-fields.js';
import { instant, nullable, whole } from '../documents/values.js';
import { everyOne, tallyFields } from './tally-fields.js';

const ID: BsonSchema = { bsonType: 'string', pattern: '^[A-Za-z0-9_.:-]{1,64} [0-9]{4}-[0-9]{2}-[0-9]{2}$' };

const dayFields = object({ serviceKey, day: instant, ...tallyFields(DAY), firstCheckedAt: nullable(instant), lastCheckedAt: nullable(instant) });
const hour = object({ hour: instant, ...tallyFields(HOUR) });
const hoursFields = object({ serviceKey, day: instant, hours: everyOne(hour) });
/** Earlier versions stored the hours in the document of the day, by their number. */
const oldHours = object({ serviceKey, day: instant, hours: everyOne(object({ ...tallyFields(HOUR), hour: whole(0, 23) })) });

export const daySchema = schemaOf(dayFields);
export const hoursSchema = schemaOf(hoursFields);

function schemaOf({ schema }: Codec<unknown>): BsonSchema {
  return { ...schema, properties: { _id: ID, ...(schema['properties'] as object) } };
}

export function dayId(serviceKey: string, day: Instant): string {
  return `${serviceKey} ${formatDate(day)}`;
}

/** The counts of a day. Its hours are in a document of their own. */
export function dayDocument(day: StatusDay): StoredDocument {
  return { _id: dayId(day.serviceKey, day.day), ...(dayFields.encode(day) as object) };
}

/** Without its hours. Never throws: the result for an invalid document is a `BadValue`. */
export function dayOf(document: unknown): StatusDay | BadValue {
  const decoded = dayFields.decode(document, '');
  const day = decoded instanceof BadValue ? decoded : checkedId(document, decoded);
  if (day instanceof BadValue) return day;
  // When the state changed last is not known of days that earlier versions have counted, but not later than this.
  const changedAt = day.outageMs === null ? day.lastCheckedAt : day.changedAt;
  return { kind: 'status-day', ...day, changedAt, hours: [] };
}

const { latency: _latency, coveredUntil: _coveredUntil, claims: _claims, ...plainTally } = tallyFields(DAY);
const plainFields = object({ serviceKey, day: instant, ...plainTally });

/** The fields of the index. */
export function plainDayOf(document: unknown) {
  return plainFields.decode(document, '');
}

export function hoursDocument({ serviceKey: key, day, hours }: StatusDay): StoredDocument {
  return { _id: dayId(key, day), ...(hoursFields.encode({ serviceKey: key, day, hours }) as object) };
}

/** The hours of a day, from their own document, or from that of a day that an earlier version has written. Never throws. */
export function hoursOf(document: unknown): (ServiceDay & { readonly hours: readonly StatusHour[] }) | BadValue {
  const decoded = hoursFields.decode(document, '');
  if (!(decoded instanceof BadValue)) return checkedId(document, decoded);
  const old = oldHours.decode(document, '');
  if (old instanceof BadValue) return decoded;
  return { ...old, hours: old.hours.map((one) => ({ ...one, hour: old.day + one.hour * HOUR })) };
}

function checkedId<Decoded extends ServiceDay>(document: unknown, decoded: Decoded): Decoded | BadValue {
  if (decoded.day !== startOfDay(decoded.day)) return new BadValue('day', 'wrong');
  const id = isPlainObject(document) ? document['_id'] : undefined;
  return id === dayId(decoded.serviceKey, decoded.day) ? decoded : new BadValue('_id', 'wrong');
}
