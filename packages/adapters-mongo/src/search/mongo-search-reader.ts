import type { ApprovedRepositories, Page, ReadContext, SearchEntry, SearchPosition, SearchQuery, SearchReader } from '@vitrine/core';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import { HitRecords, recordMeanings, type RecordMeanings } from './hit-records.js';
import { hitsAmong } from './hits.js';
import { KnownSegments } from './known-segments.js';
import { RowMatcher } from './row-matcher.js';
import { SegmentReader, SegmentsChangedError } from './segment-reader.js';
import { SegmentWalk } from './segment-walk.js';

/** A few more entries are read than are asked for, so that one that has to be passed over seldom costs another query. */
const SPARE_ENTRIES = 3;
/** How often a search is begun anew because segments were merged meanwhile. */
const TRIES = 4;

/** Finds entries in segments, and shows what their records say at the moment. */
export class MongoSearchReader implements SearchReader {
  readonly #reading: MongoReading;
  readonly #meanings: RecordMeanings;
  readonly #known = new KnownSegments();
  readonly #matcher = new RowMatcher();

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#meanings = recordMeanings(reading.monitor);
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
    const walk = await SegmentWalk.open(reader, query, this.#matcher);
    const records = new HitRecords(this.#reading, this.#meanings, approved, options);
    const found: SearchEntry[] = [];
    // One more than the page holds, or all that there are.
    while (found.length <= query.limit) {
      const entries = await walk.next(query.limit + 1 - found.length + SPARE_ENTRIES);
      if (entries.length === 0) break;
      found.push(...(await hitsAmong(entries, records, query.words)));
    }
    const items = found.slice(0, query.limit);
    return { items, next: found.length > query.limit ? (items.at(-1)?.position ?? null) : null };
  }
}
