import type { LatestState } from '@vitrine/core';
import { BadValue, isPlainObject, object, type BsonSchema } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { serviceKey } from '../documents/shared-fields.js';
import { instant, optional } from '../documents/values.js';
import { checkFields } from './check-document.js';
import { everyOne } from './tally-fields.js';

const fields = object({
  serviceKey,
  firstCheckedAt: instant,
  lastCheckedAt: instant,
  sources: everyOne(object({ newest: checkFields, known: optional(checkFields) })),
});

export const trailSchema: BsonSchema = {
  ...fields.schema,
  properties: { _id: serviceKey.schema, ...(fields.schema['properties'] as object) },
};

/** If the newest check is not `unknown`, it is also the newest known one, and is stored only once. */
export function trailDocument({ sources, ...trail }: LatestState): StoredDocument {
  const stored = sources.map(({ newest, known }) => (known === null || known === newest ? { newest } : { newest, known }));
  return { _id: trail.serviceKey, ...(fields.encode({ ...trail, sources: stored }) as object) };
}

/** Never throws: the result for an invalid document is a `BadValue`. */
export function trailOf(document: unknown): LatestState | BadValue {
  const decoded = fields.decode(document, '');
  if (decoded instanceof BadValue) return decoded;
  if (!isPlainObject(document) || document['_id'] !== decoded.serviceKey) return new BadValue('_id', 'wrong');
  const sources = decoded.sources.map(({ newest, known = null }) => ({ newest, known: newest.state === 'unknown' ? known : newest }));
  return { ...decoded, sources };
}
