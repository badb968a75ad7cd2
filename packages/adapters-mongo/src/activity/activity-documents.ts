import { formatDate, startOfDay, type ActivityDay, type Instant, type RepositoryRef } from '@vitrine/core';
import { BadValue, isPlainObject, object, type BsonSchema } from '../documents/codec.js';
import { schemaOf, type StoredDocument } from '../documents/document-spec.js';
import { repositoryRef } from '../documents/shared-fields.js';
import { instant, list, whole } from '../documents/values.js';

const count = whole(0, Number.MAX_SAFE_INTEGER);

const dayFields = object({ repositoryRef, day: instant, commits: count, releases: count });

/** The numbers of one repository and one UTC day. */
export const activityDaySchema: BsonSchema = schemaOf(dayFields.schema);

export function activityDayId(ref: RepositoryRef, day: Instant): string {
  return `${ref} ${formatDate(day)}`;
}

export function activityDayDocument(ref: RepositoryRef, counted: ActivityDay): StoredDocument {
  return { _id: activityDayId(ref, counted.day), ...(dayFields.encode({ repositoryRef: ref, ...counted }) as object) };
}

/** Never throws: the result for an invalid document is a `BadValue`. */
export function activityDayOf(document: unknown): ActivityDay | BadValue {
  const decoded = dayFields.decode(document, '');
  return decoded instanceof BadValue ? decoded : { day: startOfDay(decoded.day), commits: decoded.commits, releases: decoded.releases };
}

/** The field that names the days whose numbers must be counted again. */
export const PENDING_DAYS = 'pendingDays';

const markFields = object({ repositoryRef, [PENDING_DAYS]: list(instant) });

/** Marks a repository whose days are stored. */
export const activityMarkSchema: BsonSchema = schemaOf(markFields.schema);

export interface ActivityMark {
  readonly repositoryRef: RepositoryRef;
  readonly pendingDays: readonly Instant[];
}

export function activityMarkDocument(ref: RepositoryRef): StoredDocument {
  return { _id: ref, ...(markFields.encode({ repositoryRef: ref, pendingDays: [] }) as object) };
}

/** Never throws: the result for an invalid document is a `BadValue`. */
export function activityMarkOf(document: unknown): ActivityMark | BadValue {
  const decoded = markFields.decode(document, '');
  if (decoded instanceof BadValue) return decoded;
  if (!isPlainObject(document) || document['_id'] !== decoded.repositoryRef) return new BadValue('_id', 'wrong');
  return { ...decoded, pendingDays: decoded.pendingDays.map(startOfDay) };
}
