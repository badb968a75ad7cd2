import {
  startOfDay,
  type ActivityDay,
  type ActivityQuery,
  type ActivityReader,
  type ApprovedRepositories,
  type Instant,
  type ReadContext,
  type RepositoryRef,
} from '@vitrine/core';
import type { Document } from 'mongodb';
import type { CollectionName } from '../collections.js';
import { decoded } from '../reading/decoding.js';
import { ScopedCollection } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { activityMarkOf, COUNTED_KINDS, countingOf, daysOfRows } from './activity-documents.js';

/**
 * Whole days are read from their stored numbers. Records are counted for a day of which only a part is asked for, and for repositories whose numbers are not
 * stored or not up to date: then the answer takes longer, and is the same.
 */
export class MongoActivityReader implements ActivityReader {
  constructor(private readonly reading: MongoReading) {}

  /** Needs at most six queries: the marks, the stored days, and two ranges of records of each kind. */
  async days(approved: ApprovedRepositories, { from, to }: ActivityQuery, context: ReadContext): Promise<readonly ActivityDay[]> {
    const stored = await this.#storedOf(approved, context);
    const others = approved.refs.filter((ref) => !stored.has(ref));
    const cut = Math.max(from, startOfDay(to + 1));
    const rows = await Promise.all([
      this.#storedDays(approved, [...stored], from, cut - 1, context),
      this.#counted(approved, [...stored], cut, to, context),
      this.#counted(approved, others, from, to, context),
    ]);
    return daysOfRows(rows.flat());
  }

  /** The repositories whose stored days are up to date. */
  async #storedOf(approved: ApprovedRepositories, context: ReadContext): Promise<ReadonlySet<RepositoryRef>> {
    const { collections, monitor } = this.reading;
    const found = await this.reading.run(context, (options) =>
      new ScopedCollection(collections.of('activity_marks')).find(approved, { _id: { $in: [...approved.refs] } }, options),
    );
    const marks = decoded('repository', found, monitor, activityMarkOf);
    return new Set(marks.flatMap(({ repositoryRef, pendingDays }) => (pendingDays.length === 0 ? [repositoryRef] : [])));
  }

  async #storedDays(
    approved: ApprovedRepositories,
    among: readonly RepositoryRef[],
    from: Instant,
    to: Instant,
    context: ReadContext,
  ): Promise<readonly Document[]> {
    const stages = [{ $group: { _id: '$day', commits: { $sum: '$commits' }, releases: { $sum: '$releases' } } }];
    return this.#rows('activity_days', approved, { day: { $gte: new Date(from), $lte: new Date(to) } }, stages, { among, from, to }, context);
  }

  async #counted(
    approved: ApprovedRepositories,
    among: readonly RepositoryRef[],
    from: Instant,
    to: Instant,
    context: ReadContext,
  ): Promise<readonly Document[]> {
    const rows = await Promise.all(
      COUNTED_KINDS.map((kind) => {
        const { collection, between, stages, hint } = countingOf(kind);
        return this.#rows(collection, approved, between(from, to), stages, { among, from, to, hint }, context);
      }),
    );
    return rows.flat();
  }

  async #rows(
    name: CollectionName,
    approved: ApprovedRepositories,
    filter: Document,
    stages: readonly Document[],
    { among, from, to, hint }: RowsAsked,
    context: ReadContext,
  ): Promise<readonly Document[]> {
    if (among.length === 0 || from > to) return [];
    const collection = new ScopedCollection(this.reading.collections.of(name));
    const found = await this.reading.run(context, (options) =>
      collection.aggregate(approved, filter, stages, hint === undefined ? options : { ...options, hint }, among),
    );
    return found.documents;
  }
}

interface RowsAsked {
  readonly among: readonly RepositoryRef[];
  readonly from: Instant;
  readonly to: Instant;
  readonly hint?: Readonly<Record<string, 1 | -1>>;
}
