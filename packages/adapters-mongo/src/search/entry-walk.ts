import { compareText, type ApprovedRepositories, type SearchPosition } from '@vitrine/core';
import type { Document, Filter, Sort } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import { decoded } from '../reading/decoding.js';
import type { FoundDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import { ScopedCollection } from '../reading/scoped-collection.js';
import { ENTRY_INDEX } from './entry-keys.js';
import { PLACE_PROJECTION, toEntryPlace, type EntryPlace } from './search-entry-document.js';
import { FIRST_TIME, placeOf } from './search-place.js';
import type { TierFilter } from './tier-filter.js';

type From = Omit<SearchPosition, 'tier'>;

/** Entries of a tier in their order. */
export interface EntryBatch {
  readonly entries: readonly EntryPlace[];
  /** Where the next batch goes on; `null` when there is none. */
  readonly next: From | null;
}

/** One part of the order as bounds of the index, and the sort that the index gives within it. */
interface Stretch {
  readonly bounds: Filter<StoredDocument>;
  readonly sort: Sort;
}

/** Walks the entries of one tier that stand in approved repositories. */
export class EntryWalk {
  readonly #reading: MongoReading;
  readonly #approved: ApprovedRepositories;
  readonly #filter: TierFilter;
  readonly #options: OperationOptions;

  constructor(reading: MongoReading, approved: ApprovedRepositories, filter: TierFilter, options: OperationOptions) {
    this.#reading = reading;
    this.#approved = approved;
    this.#filter = filter;
    this.#options = options;
  }

  /**
   * About so many entries. The index orders by the beginning of ids only, so entries that it does not tell apart are put in order here, and
   * come together.
   */
  async next(after: From | null, count: number): Promise<EntryBatch> {
    if (this.#filter.keys.length === 0) return { entries: [], next: null };
    for (let limit = count; ; limit *= 2) {
      const { found, isLast } = await this.#find(after, limit);
      const closed = isLast ? found.documents : withoutLastGroup(found.documents);
      const entries = decoded('search-entry', { ...found, documents: closed }, this.#reading.monitor, toEntryPlace)
        .filter((entry) => after === null || compare(entry, after) > 0)
        .sort(compare);
      if (isLast) return { entries, next: null };
      const end = entries.at(-1);
      if (end !== undefined) return { entries, next: end };
    }
  }

  /** Both parts at once: all but few positions stand alone in their millisecond. */
  async #find(after: From | null, limit: number): Promise<{ readonly found: FoundDocuments; readonly isLast: boolean }> {
    const parts = await Promise.all(stretchesFrom(after).map((stretch) => this.#findIn(stretch, limit)));
    const open = parts.findIndex(({ documents }) => documents.length === limit);
    const used = open < 0 ? parts : parts.slice(0, open + 1);
    return { found: joined(used), isLast: open < 0 };
  }

  #findIn({ bounds, sort }: Stretch, limit: number): Promise<FoundDocuments> {
    const scoped = new ScopedCollection(this.#reading.collections.of('search_entries'));
    const { keys, conditions } = this.#filter;
    const options = { ...this.#options, limit, batchSize: limit, sort, projection: PLACE_PROJECTION, hint: ENTRY_INDEX };
    return scoped.find(this.#approved, { ...conditions, ...bounds, keys: { $in: [...keys] } }, options);
  }
}

/** Bounds that the index follows exactly: what stands at the position's own time, then what is older. */
function stretchesFrom(after: From | null): readonly Stretch[] {
  const sort = { time: -1, place: 1 } as const;
  if (after === null) return [{ bounds: { time: { $lte: new Date(FIRST_TIME) }, place: { $gte: '' } }, sort }];
  const time = new Date(after.time);
  return [
    { bounds: { time, place: { $gte: placeOf(after) } }, sort: { place: 1 } },
    { bounds: { time: { $lt: time }, place: { $gte: '' } }, sort },
  ];
}

function joined(parts: readonly FoundDocuments[]): FoundDocuments {
  return { documents: parts.flatMap(({ documents }) => documents), damaged: new Set(parts.flatMap(({ damaged }) => [...damaged])) };
}

/** The last documents that share one place in the index may go on behind the end. */
function withoutLastGroup(documents: readonly Document[]): readonly Document[] {
  const last = documents.at(-1);
  return last === undefined
    ? documents
    : documents.slice(
        0,
        documents.findIndex((document) => isBeside(document, last)),
      );
}

/** The bounds let only documents through whose time is a date and whose place is text. */
function isBeside(a: Document, b: Document): boolean {
  return a['place'] === b['place'] && a['time'] instanceof Date && b['time'] instanceof Date && a['time'].getTime() === b['time'].getTime();
}

function compare(a: From, b: From): number {
  return b.time - a.time || compareText(a.type, b.type) || compareText(a.id, b.id);
}
