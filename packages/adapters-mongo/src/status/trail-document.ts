import type { Check, Instant } from '@vitrine/core';
import { BadValue, isPlainObject, object, type BsonSchema } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { serviceKey } from '../documents/shared-fields.js';
import { instant, nullable, optional, whole } from '../documents/values.js';
import { checkFields } from './check-document.js';
import { everyOne, hourTally, type HourTally } from './day-document.js';

/** The newest checks of one source of a service. */
export interface SourceTrail {
  readonly newest: Check;
  /** The newest check that is not `unknown`. */
  readonly known: Check | null;
}

/** The latest state of a service. With it, no recent checks must be read, and data of the earlier time can be cached. */
export interface Trail {
  readonly serviceKey: string;
  readonly firstCheckedAt: Instant;
  readonly lastCheckedAt: Instant;
  /** The end of the longest validity of all checks. */
  readonly coveredUntil: Instant;
  /** The hour of the newest check; `null` if only the counts of its day are known. */
  readonly hour: HourTally | null;
  readonly sources: readonly SourceTrail[];
  /** Grows when anything before the hour of the newest check changes. */
  readonly hoursRevision: number;
  /** Grows when anything before the day of the newest check changes. */
  readonly daysRevision: number;
}

const fields = object({
  serviceKey,
  firstCheckedAt: instant,
  lastCheckedAt: instant,
  coveredUntil: instant,
  hour: nullable(hourTally),
  sources: everyOne(object({ newest: checkFields, known: optional(checkFields) })),
  hoursRevision: whole(0),
  daysRevision: whole(0),
});

export const trailSchema: BsonSchema = {
  ...fields.schema,
  properties: { _id: serviceKey.schema, ...(fields.schema['properties'] as object) },
};

/** If the newest check is not `unknown`, it is also the newest known one, and is stored only once. */
export function trailDocument({ sources, ...trail }: Trail): StoredDocument {
  const stored = sources.map(({ newest, known }) => (known === null || known === newest ? { newest } : { newest, known }));
  return { _id: trail.serviceKey, ...(fields.encode({ ...trail, sources: stored }) as object) };
}

/** Never throws: the result for an invalid document is a `BadValue`. */
export function trailOf(document: unknown): Trail | BadValue {
  const decoded = fields.decode(document, '');
  if (decoded instanceof BadValue) return decoded;
  if (!isPlainObject(document) || document['_id'] !== decoded.serviceKey) return new BadValue('_id', 'wrong');
  const sources = decoded.sources.map(({ newest, known = null }) => ({ newest, known: newest.state === 'unknown' ? known : newest }));
  return { ...decoded, sources };
}
