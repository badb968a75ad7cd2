import { LATEST_INSTANT, MAX_RESPONSE_TIME_MS, MAX_VALIDITY_MS, publishableRecord, SERVICE_STATES, type Check, type Instant } from '@vitrine/core';
import { BadValue, isPlainObject, object, type BsonSchema, type Codec } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { provenance, serviceKey } from '../documents/shared-fields.js';
import { instant, nullable, oneOf, text, whole } from '../documents/values.js';

const fields = object({
  serviceKey,
  state: oneOf(SERVICE_STATES),
  rawState: text,
  checkedAt: instant,
  responseTimeMs: nullable(whole(0, MAX_RESPONSE_TIME_MS)),
  validForMs: whole(0, MAX_VALIDITY_MS),
  provenance,
});

/** The fields of a check inside another document. */
export const checkFields: Codec<Check> = {
  schema: fields.schema,
  encode: (check) => fields.encode(check),
  decode(stored, path) {
    const decoded = fields.decode(stored, path);
    if (decoded instanceof BadValue) return decoded;
    const check = publishableRecord<Check>({ kind: 'check', ...decoded });
    return typeof check === 'string' ? new BadValue(path, check) : check;
  },
};

export const checkSchema: BsonSchema = {
  ...fields.schema,
  properties: { _id: { bsonType: 'string', pattern: '^[A-Za-z0-9_.:-]{1,64} [0-9]{15} ' }, ...(fields.schema['properties'] as object) },
};

export function checkDocument(check: Check): StoredDocument {
  return { _id: checkId(check.serviceKey, check.checkedAt, check.provenance.source), ...(checkFields.encode(check) as object) };
}

/** Never throws: the result for an invalid document is a `BadValue`. */
export function checkOf(document: unknown): Check | BadValue {
  const check = checkFields.decode(document, '');
  if (check instanceof BadValue) return check;
  const id = isPlainObject(document) ? document['_id'] : undefined;
  return id === checkId(check.serviceKey, check.checkedAt, check.provenance.source) ? check : new BadValue('_id', 'wrong');
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
