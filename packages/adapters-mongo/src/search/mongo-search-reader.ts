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
import { searchTerms } from './word-lookup.js';

type Tier = SearchPosition['tier'];

/** A few more entries are read than a page holds, so that one that has to be passed over seldom costs another query. */
const SPARE_ENTRIES = 3;

/** Finds entries by their keys, and shows what their records say at the moment. */
export class MongoSearchReader implements SearchReader {
  readonly #reading: MongoReading;

  constructor(reading: MongoReading) {
    this.#reading = reading;
  }

  search(approved: ApprovedRepositories, query: SearchQuery, context: ReadContext): Promise<Page<SearchEntry, SearchPosition>> {
    return this.#reading.run(context, async (options) => {
      const terms = await searchTerms(this.#reading, query.words, options);
      const found: SearchEntry[] = [];
      for (const tier of tiersFrom(query.after)) {
        const filter = tier === 0 ? titleTier(terms, query) : otherTier(terms, query);
        await this.#collect(found, tier, query, approved, new EntryWalk(this.#reading, approved, filter, options), options);
      }
      const items = found.slice(0, query.limit);
      return { items, next: found.length > query.limit ? (items.at(-1)?.position ?? null) : null };
    });
  }

  /** Goes on until there is one more than the page holds, or no more entry. */
  async #collect(
    found: SearchEntry[],
    tier: Tier,
    query: SearchQuery,
    approved: ApprovedRepositories,
    walk: EntryWalk,
    options: OperationOptions,
  ): Promise<void> {
    let after: Parameters<EntryWalk['next']>[0] = query.after?.tier === tier ? query.after : null;
    while (found.length <= query.limit) {
      const { entries, next } = await walk.next(after, query.limit + 1 - found.length + SPARE_ENTRIES);
      const records = await HitRecords.read(this.#reading, approved, entries, options);
      for (const entry of entries) found.push(...hitOf(entry, records, tier, query));
      if (next === null) return;
      after = next;
    }
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
