import {
  type ActivityDay,
  type ActivityQuery,
  type ActivityReader,
  type ApprovedRepositories,
  formatDate,
  type Instant,
  type ReadContext,
  type RepositoryRef,
  startOfDay,
} from '@vitrine/core';
import type { AggregateOptions, Document } from 'mongodb';
import type { CollectionName } from '../collections.js';
import { BadValue, type BsonSchema, instant, isPlainObject, list, object, type StoredDocument, whole } from '../documents/codec.js';
import { schemaOf } from '../documents/documents.js';
import { repositoryRef } from '../documents/shared-fields.js';
import { LISTS, repositoryLedKey } from '../lists/stored-lists.js';
import { decoded, ScopedCollection } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';

/**
 * Whole days are read from their stored numbers. Records are counted for a day of which only a part is asked for, and for repositories whose numbers are not
 * stored or not up to date: then the answer takes longer, and is the same.
 */
export class MongoActivityReader implements ActivityReader {
  constructor(private readonly reading: MongoReading) {}

  /** Needs at most six queries: the marks, the stored days, and two ranges of records of each kind. */
  async days(approved: ApprovedRepositories, { from, to }: ActivityQuery, context: ReadContext): Promise<readonly ActivityDay[]> {
    const known = new Set(await this.#storedOf(approved, context));
    const [stored, others] = [[...known], approved.refs.filter((ref) => !known.has(ref))];
    const cut = Math.max(from, startOfDay(to + 1));
    const rows = await Promise.all([
      this.#rows(STORED_DAYS, { approved, among: stored, from, to: cut - 1 }, context),
      ...COUNTED_KINDS.map((kind) => countingOf(kind, 'day')).flatMap((counting) => [
        this.#rows(counting, { approved, among: stored, from: cut, to }, context),
        this.#rows(counting, { approved, among: others, from, to }, context),
      ]),
    ]);
    return daysOfRows(rows.flat());
  }

  /** The repositories whose stored days are up to date. */
  async #storedOf(approved: ApprovedRepositories, context: ReadContext): Promise<readonly RepositoryRef[]> {
    const { collections, monitor } = this.reading;
    const found = await this.reading.run(context, (options) =>
      new ScopedCollection(collections.of('activity_marks')).find(approved, { _id: { $in: [...approved.refs] } }, options),
    );
    const marks = decoded('repository', found, monitor, activityMarkOf);
    return marks.flatMap(({ repositoryRef, pendingDays }) => (pendingDays.length === 0 ? [repositoryRef] : []));
  }

  async #rows({ collection, index, between, stages }: Counting, asked: RowsAsked, context: ReadContext): Promise<readonly Document[]> {
    const { approved, among, from, to } = asked;
    if (among.length === 0 || from > to) return [];
    const scoped = new ScopedCollection(this.reading.collections.of(collection));
    const found = await this.reading.run(context, (options) =>
      scoped.aggregate(approved, between(from, to), stages, { ...options, ...index }, among),
    );
    return found.documents;
  }
}

/** Both ends are included. */
interface RowsAsked {
  readonly approved: ApprovedRepositories;
  readonly among: readonly RepositoryRef[];
  readonly from: Instant;
  readonly to: Instant;
}

/** How the numbers of days are added up in a collection. */
interface Counting {
  readonly collection: CollectionName;
  /** Which index is read. */
  readonly index: AggregateOptions;
  /** The filter for a range of times. */
  readonly between: (from: Instant, to: Instant) => Document;
  readonly stages: readonly Document[];
}

const STORED_DAYS: Counting = {
  collection: 'activity_days',
  index: {},
  between: (from, to) => ({ day: { $gte: new Date(from), $lte: new Date(to) } }),
  stages: [{ $group: { _id: '$day', commits: { $sum: '$commits' }, releases: { $sum: '$releases' } } }],
};

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

/** While `pendingDays` are named, the records are counted. */
const markFields = object({ repositoryRef, pendingDays: list(instant) });

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

/** How the records of a kind are counted. All values come from the index that starts with the repository. */
export function countingOf(kind: (typeof COUNTED_KINDS)[number], by: 'day' | 'repository and day'): Counting {
  const list = LISTS[kind];
  const { collection, time } = list;
  const day = { $dateTrunc: { date: `$${time}`, unit: 'day' } };
  return {
    collection,
    index: { hint: repositoryLedKey(list, null) },
    between: (from, to) => ({ [time]: { $gte: new Date(from), $lte: new Date(to) } }),
    stages: [{ $group: { _id: by === 'day' ? day : { ref: '$repositoryRef', day }, [collection]: { $sum: 1 } } }],
  };
}

/** Adds up rows with the same day and repository, from any number of pipelines. */
export function daysOfRows(rows: readonly Document[]): readonly (ActivityDay & { readonly ref?: RepositoryRef })[] {
  const days = new Map<string, ActivityDay & { readonly ref?: RepositoryRef }>();
  for (const { _id, commits = 0, releases = 0 } of rows) {
    // To group by the day alone takes half the time.
    const { ref, day } = (_id instanceof Date ? { day: _id } : _id) as { readonly ref?: RepositoryRef; readonly day: unknown };
    if (!(day instanceof Date)) continue;
    const key = `${String(ref)} ${String(day.getTime())}`;
    const sum = days.get(key) ?? { ...(ref !== undefined && { ref }), day: day.getTime(), commits: 0, releases: 0 };
    days.set(key, { ...sum, commits: sum.commits + Number(commits), releases: sum.releases + Number(releases) });
  }
  return [...days.values()];
}
