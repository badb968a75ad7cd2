import { type ActivityDay, type ActivityQuery, type ActivityReader, type ApprovedRepositories, type Instant, type ReadContext } from '@vitrine/core';
import { LISTS } from '../lists/stored-lists.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { ScopedCollection } from '../reading/scoped-collection.js';

const COUNTED = ['commit', 'release'] as const;

export class MongoActivityReader implements ActivityReader {
  readonly #reading: MongoReading;

  constructor(reading: MongoReading) {
    this.#reading = reading;
  }

  async days(approved: ApprovedRepositories, query: ActivityQuery, context: ReadContext): Promise<readonly ActivityDay[]> {
    const [commits, releases] = await Promise.all(COUNTED.map((kind) => this.#counted(kind, approved, query, context)));
    const days = new Set([...(commits?.keys() ?? []), ...(releases?.keys() ?? [])]);
    return [...days].map((day) => ({ day, commits: commits?.get(day) ?? 0, releases: releases?.get(day) ?? 0 }));
  }

  async #counted(
    kind: (typeof COUNTED)[number],
    approved: ApprovedRepositories,
    { from, to }: ActivityQuery,
    context: ReadContext,
  ): Promise<ReadonlyMap<Instant, number>> {
    const { collection, time } = LISTS[kind];
    const day = { $dateTrunc: { date: `$${time}`, unit: 'day' } };
    const { documents } = await this.#reading.run(context, (options) =>
      new ScopedCollection(this.#reading.collections.of(collection)).aggregate(
        approved,
        { [time]: { $gte: new Date(from), $lte: new Date(to) } },
        [{ $group: { _id: day, count: { $sum: 1 } } }],
        options,
        approved.refs,
      ),
    );
    return new Map(documents.map(({ _id, count }) => [(_id as Date).getTime(), Number(count)]));
  }
}
