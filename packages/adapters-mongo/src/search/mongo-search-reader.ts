import type { ApprovedRepositories, Page, ReadContext, SearchEntry, SearchPosition, SearchQuery, SearchReader } from '@vitrine/core';
import type { MongoReading } from '../reading/mongo-reading.js';
import { EntryWalk } from './entry-walk.js';
import { HitRecords, recordMeanings, type RecordMeanings } from './hit-records.js';
import { hitsAmong } from './hits.js';
import { tierFilter } from './tier-filter.js';
import { searchTerms } from './word-lookup.js';

/** A few more entries are read than are asked for, so that one that has to be passed over seldom costs another query. */
const SPARE_ENTRIES = 3;

/** Finds entries by their keys, and shows what their records say at the moment. */
export class MongoSearchReader implements SearchReader {
  readonly #reading: MongoReading;
  readonly #meanings: RecordMeanings;

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#meanings = recordMeanings(reading.monitor);
  }

  search(approved: ApprovedRepositories, query: SearchQuery, context: ReadContext): Promise<Page<SearchEntry, SearchPosition>> {
    return this.#reading.run(context, async (options) => {
      const { terms, sample } = await searchTerms(this.#reading, query.words, options);
      const filters = { 0: tierFilter(0, terms, query), 1: tierFilter(1, terms, query) };
      const walk = new EntryWalk(this.#reading, approved, filters, sample, options);
      const found = await this.#collect(walk, new HitRecords(this.#reading, this.#meanings, approved, options), query);
      const items = found.slice(0, query.limit);
      return { items, next: found.length > query.limit ? (items.at(-1)?.position ?? null) : null };
    });
  }

  /** One more than the page holds, or all that there are. */
  async #collect(walk: EntryWalk, records: HitRecords, { after, limit, words }: SearchQuery): Promise<readonly SearchEntry[]> {
    const found: SearchEntry[] = [];
    for (let position = after, isDone = false; !isDone && found.length <= limit;) {
      const { entries, next } = await walk.next(position, limit + 1 - found.length + SPARE_ENTRIES);
      found.push(...(await hitsAmong(entries, records, words)));
      [position, isDone] = [next, next === null];
    }
    return found;
  }
}
