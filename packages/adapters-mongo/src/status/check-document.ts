import {
  LATEST_INSTANT,
  MAX_RESPONSE_TIME_MS,
  MAX_VALIDITY_MS,
  publishableRecord,
  SERVICE_STATES,
  type Check,
  type Instant,
  type LatestState,
} from '@vitrine/core';
import {
  BadValue,
  instant,
  isPlainObject,
  nullable,
  object,
  oneOf,
  optional,
  text,
  whole,
  type BsonSchema,
  type Codec,
  type StoredDocument,
} from '../documents/codec.js';
import { provenance, serviceKey } from '../documents/shared-fields.js';
import { everyOne } from './day-document.js';

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
const checkFields: Codec<Check> = {
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

const latestFields = object({
  serviceKey,
  firstCheckedAt: instant,
  lastCheckedAt: instant,
  sources: everyOne(object({ newest: checkFields, known: optional(checkFields) })),
});

export const latestSchema: BsonSchema = {
  ...latestFields.schema,
  properties: { _id: serviceKey.schema, ...(latestFields.schema['properties'] as object) },
};

/** If the newest check is not `unknown`, it is also the newest known one, and is stored only once. */
export function latestDocument({ sources, ...latest }: LatestState): StoredDocument {
  const stored = sources.map(({ newest, known }) => (known === null || known === newest ? { newest } : { newest, known }));
  return { _id: latest.serviceKey, ...(latestFields.encode({ ...latest, sources: stored }) as object) };
}

/** Never throws: the result for an invalid document is a `BadValue`. */
export function latestOf(document: unknown): LatestState | BadValue {
  const decoded = latestFields.decode(document, '');
  if (decoded instanceof BadValue) return decoded;
  if (!isPlainObject(document) || document['_id'] !== decoded.serviceKey) return new BadValue('_id', 'wrong');
  const sources = decoded.sources.map(({ newest, known = null }) => ({ newest, known: newest.state === 'unknown' ? known : newest }));
  return { ...decoded, sources };
}
