import { formatDate, startOfDay, type ActivityDay, type Instant, type RepositoryRef } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue, instant, isPlainObject, list, object, whole, type BsonSchema, type StoredDocument } from '../documents/codec.js';
import { schemaOf } from '../documents/documents.js';
import { repositoryRef } from '../documents/shared-fields.js';
import { LISTS, repositoryLedKey } from '../lists/stored-lists.js';

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

interface ActivityMark {
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

/** The kinds of records that are counted by day. */
export const COUNTED_KINDS = ['commit', 'release'] as const;
export type CountedKind = (typeof COUNTED_KINDS)[number];

/** How the records of a kind are counted by day. All values come from the index that starts with the repository. */
export function countingOf(kind: CountedKind) {
  const list = LISTS[kind];
  const { collection, time } = list;
  const day = { $dateTrunc: { date: `$${time}`, unit: 'day' } };
  const numbers = { [fieldOf(kind)]: { $sum: 1 } };
  return {
    collection,
    hint: repositoryLedKey(list, null),
    /** Both ends are included. */
    between: (from: Instant, to: Instant) => ({ [time]: { $gte: new Date(from), $lte: new Date(to) } }),
    stages: [{ $group: { _id: day, ...numbers } }],
    stagesByRepository: [{ $group: { _id: { ref: '$repositoryRef', day }, ...numbers } }],
  } as const;
}

/** The field of a day that holds the number of records of a kind. */
function fieldOf(kind: CountedKind): 'commits' | 'releases' {
  return LISTS[kind].collection === 'commits' ? 'commits' : 'releases';
}

/** Adds up rows of days, from any number of pipelines. */
export function daysOfRows(rows: readonly Document[]): readonly ActivityDay[] {
  const days = new Map<Instant, ActivityDay>();
  for (const { _id, commits = 0, releases = 0 } of rows) {
    if (!(_id instanceof Date)) continue;
    const day = _id.getTime();
    const sum = days.get(day) ?? { day, commits: 0, releases: 0 };
    days.set(day, { day, commits: sum.commits + Number(commits), releases: sum.releases + Number(releases) });
  }
  return [...days.values()];
}

/** Adds up rows of repositories and days. A repository without records is absent. */
export function daysOfRepositories(rows: readonly Document[]): ReadonlyMap<RepositoryRef, readonly ActivityDay[]> {
  const byRef = new Map<RepositoryRef, Document[]>();
  for (const { _id, ...numbers } of rows) {
    const { ref, day } = _id as { readonly ref: RepositoryRef; readonly day: unknown };
    const own = byRef.get(ref) ?? [];
    own.push({ ...numbers, _id: day });
    byRef.set(ref, own);
  }
  return new Map([...byRef].map(([ref, own]) => [ref, daysOfRows(own)]));
}
