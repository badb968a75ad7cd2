import type { ApprovedRepositories, Page, ReadContext, SearchEntry, SearchPosition, SearchQuery, SearchReader } from '@vitrine/core';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import { HitRecords, recordMeanings, type RecordMeanings } from './hit-records.js';
import { hitsAmong } from './hits.js';
import { KnownSegments } from './known-segments.js';
import { SegmentReader, SegmentsChangedError } from './segment-reader.js';
import { PostingIntersection } from './segments/posting-intersection.js';
import { SegmentWalk } from './segments/segment-walk.js';

/** Read a few more entries than requested, so that an entry that is not a hit seldom costs another query. */
const SPARE_ENTRIES = 3;
/** How often a search restarts because segments were merged in the meantime. */
const TRIES = 4;

/** Finds entries in segments and returns their current records. */
export class MongoSearchReader implements SearchReader {
  readonly #reading: MongoReading;
  readonly #meanings: RecordMeanings;
  readonly #known = new KnownSegments();
  readonly #intersection = new PostingIntersection();

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#meanings = recordMeanings(reading);
  }

  search(approved: ApprovedRepositories, query: SearchQuery, context: ReadContext): Promise<Page<SearchEntry, SearchPosition>> {
    return this.#reading.run(context, async (options) => {
      for (let left = TRIES; ; left--) {
        try {
          return await this.#search(approved, query, options, left === 1);
        } catch (error) {
          if (!(error instanceof SegmentsChangedError)) throw error;
        }
      }
    });
  }

  async #search(
    approved: ApprovedRepositories,
    query: SearchQuery,
    options: OperationOptions,
    isLast: boolean,
  ): Promise<Page<SearchEntry, SearchPosition>> {
    const reader = new SegmentReader(this.#reading, this.#known.of(approved), options, isLast);
    const walk = await SegmentWalk.open(reader, query, this.#intersection);
    const records = new HitRecords(this.#reading, this.#meanings, approved, options);
    const found: SearchEntry[] = [];
    // Stop with one more than the page holds, or when there are no more.
    while (found.length <= query.limit) {
      const entries = await walk.next(query.limit + 1 - found.length + SPARE_ENTRIES);
      if (entries.length === 0) break;
      found.push(...(await hitsAmong(entries, records, query.words)));
    }
    const items = found.slice(0, query.limit);
    return { items, next: found.length > query.limit ? (items.at(-1)?.position ?? null) : null };
  }
}
