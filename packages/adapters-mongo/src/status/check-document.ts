import {
  type AnyField,
  type Check,
  FACTS,
  type Instant,
  LATEST_INSTANT,
  type LatestState,
  MAX_RESPONSE_TIME_MS,
  MAX_VALIDITY_MS,
  type Provenance,
  publishableRecord,
  SERVICE_STATES,
} from '@vitrine/core';
import type { Document } from 'mongodb';
import {
  BadValue,
  type Codec,
  codecOf,
  everyOne,
  instant,
  nullable,
  object,
  oneOf,
  optional,
  serviceKey,
  type StoredDocument,
  text,
  whole,
} from '../documents/codec.js';
import { schemaWithId, withId } from './day-document.js';

const fields = object({
  serviceKey,
  state: oneOf(SERVICE_STATES),
  rawState: text,
  checkedAt: instant,
  responseTimeMs: nullable(whole(0, MAX_RESPONSE_TIME_MS)),
  validForMs: whole(0, MAX_VALIDITY_MS),
  provenance: codecOf(FACTS.check.fields['provenance'] as AnyField) as Codec<Provenance>,
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

export const checkSchema = schemaWithId(fields, { bsonType: 'string', pattern: '^[A-Za-z0-9_.:-]{1,64} [0-9]{15} ' });

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
