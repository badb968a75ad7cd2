import {
  matchFields,
  nameOfRef,
  NO_REPOSITORY,
  repositoryField,
  searchFieldsOf,
  type ApprovedRepositories,
  type Page,
  type ReadContext,
  type SearchEntry,
  type SearchPosition,
  type SearchQuery,
  type SearchReader,
} from '@vitrine/core';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import { EntryWalk } from './entry-walk.js';
import { HitRecords } from './hit-records.js';
import { placeOfRecord, type EntryPlace } from './search-entry-document.js';
import { otherTier, titleTier } from './tier-filter.js';
import { TierWalks, type Tier } from './tier-walks.js';
import { searchTerms } from './word-lookup.js';

/** Finds entries by their keys, and shows what their records say at the moment. */
export class MongoSearchReader implements SearchReader {
  readonly #reading: MongoReading;

  constructor(reading: MongoReading) {
    this.#reading = reading;
  }

  search(approved: ApprovedRepositories, query: SearchQuery, context: ReadContext): Promise<Page<SearchEntry, SearchPosition>> {
    return this.#reading.run(context, async (options) => {
      const terms = await searchTerms(this.#reading, query.words, options);
      const walks = new TierWalks(
        tiersFrom(query.after).map((tier) => ({
          tier,
          walk: new EntryWalk(this.#reading, approved, tier === 0 ? titleTier(terms, query) : otherTier(terms, query), options),
          after: query.after?.tier === tier ? query.after : null,
        })),
      );
      const found = await this.#collect(walks, approved, query, options);
      const items = found.slice(0, query.limit);
      return { items, next: found.length > query.limit ? (items.at(-1)?.position ?? null) : null };
    });
  }

  /** One more than the page holds, or all that there are. */
  async #collect(walks: TierWalks, approved: ApprovedRepositories, query: SearchQuery, options: OperationOptions): Promise<readonly SearchEntry[]> {
    const found: SearchEntry[] = [];
    while (found.length <= query.limit) {
      const entries = await walks.next(query.limit + 1 - found.length);
      if (entries.length === 0) break;
      const places = entries.map(({ entry }) => entry);
      const records = await HitRecords.read(this.#reading, approved, places, options);
      for (const { entry, tier } of entries) found.push(...hitOf(entry, records, tier, query));
    }
    return found;
  }
}

function tiersFrom(after: SearchPosition | null): readonly Tier[] {
  return after?.tier === 1 ? [1] : [0, 1];
}

/** The pure rule of the core has the last word, so that an entry can never show what its record does not say. */
function hitOf(entry: EntryPlace, records: HitRecords, tier: Tier, { words }: SearchQuery): SearchEntry[] {
  const record = records.record(entry);
  if (record === null || !isSamePlace(entry, placeOfRecord(record))) return [];
  const { repositoryRef, time, type, id } = entry;
  const fields = searchFieldsOf(record);
  const hasName = repositoryRef !== NO_REPOSITORY && record.kind !== 'repository';
  const searched = hasName ? [...fields, repositoryField(records.repositoryName(repositoryRef) ?? nameOfRef(repositoryRef))] : fields;
  return matchFields(searched, words)?.tier === tier ? [{ position: { tier, time, type, id }, repositoryRef, fields, record }] : [];
}

/** A record that has moved stands where another entry says. */
function isSamePlace(a: EntryPlace, b: EntryPlace): boolean {
  return a.time === b.time && a.id === b.id && a.repositoryRef === b.repositoryRef;
}
