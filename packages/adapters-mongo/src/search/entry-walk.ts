import { compareText, type ApprovedRepositories, type Instant, type SearchPosition } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { decoded } from '../reading/decoding.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import { ScopedCollection, TURN, type QueryInTurn } from '../reading/scoped-collection.js';
import { ENTRY_INDEX } from './entry-keys.js';
import { PLACE_PROJECTION, toEntryPlace, type EntryPlace } from './search-entry-document.js';
import { stretchesFrom } from './stretches.js';
import type { Tier, TierFilter } from './tier-filter.js';
import type { EntrySample } from './word-lookup.js';

export interface TieredEntry {
  readonly tier: Tier;
  readonly entry: EntryPlace;
}

/** Entries in the order of hits. */
export interface EntryBatch {
  readonly entries: readonly TieredEntry[];
  /** Where the next batch goes on; `null` when there is none. */
  readonly next: SearchPosition | null;
}

/** The filters of tier 0 and of tier 1. */
export type TierFilters = Readonly<Record<Tier, TierFilter>>;

const TIERS: readonly Tier[] = [0, 1];
/** So many keys are merged faster when those that hold no new entry end early. */
const MANY_KEYS = 16;
/** Of so many entries one is expected to be approved, or more. */
const ENTRIES_FOR_ONE_APPROVED = 20;

/** Walks the entries that stand in approved repositories, one tier after the other. */
export class EntryWalk {
  readonly #reading: MongoReading;
  readonly #approved: ApprovedRepositories;
  readonly #filters: TierFilters;
  readonly #sample: EntrySample | null;
  readonly #options: OperationOptions;

  constructor(reading: MongoReading, approved: ApprovedRepositories, filters: TierFilters, sample: EntrySample | null, options: OperationOptions) {
    this.#reading = reading;
    this.#approved = approved;
    this.#filters = filters;
    this.#sample = sample;
    this.#options = options;
  }

  /**
   * About so many entries. The index orders by the beginning of ids only, so entries that it does not tell apart are put in order here, and
   * come together.
   */
  async next(after: SearchPosition | null, count: number): Promise<EntryBatch> {
    const tiers = TIERS.filter((tier) => tier >= (after?.tier ?? 0));
    const scoped = new ScopedCollection(this.#reading.collections.of('search_entries'));
    for (let limit = count; ; limit *= 2) {
      const queries = tiers.flatMap((tier) => this.#queriesOf(tier, after?.tier === tier ? after : null, limit));
      const options = { ...this.#options, limit, projection: PLACE_PROJECTION, hint: ENTRY_INDEX };
      const found = await scoped.findInTurn(this.#approved, queries, options);
      const isLast = found.documents.length < limit;
      const closed = isLast ? found.documents : withoutLastGroup(found.documents);
      const entries = decoded('search-entry', { ...found, documents: closed }, this.#reading.monitor, toTieredEntry)
        .filter((tiered) => after === null || compare(positionOf(tiered), after) > 0)
        .sort((a, b) => compare(positionOf(a), positionOf(b)));
      const end = entries.at(-1);
      if (isLast || end !== undefined) return { entries, next: isLast || end === undefined ? null : positionOf(end) };
    }
  }

  #queriesOf(tier: Tier, after: SearchPosition | null, limit: number): readonly QueryInTurn[] {
    const { keys, conditions, size } = this.#filters[tier];
    if (keys.length === 0) return [];
    const seam = keys.length < MANY_KEYS ? null : this.#seam(size, after, limit);
    return stretchesFrom(after, seam).map(({ bounds, sort }) => ({
      turn: tier,
      sort,
      filter: { ...conditions, ...bounds, keys: { $in: [...keys] } },
    }));
  }

  /** How far back the page is likely to reach. */
  #seam(size: number | null, after: SearchPosition | null, limit: number): Instant | null {
    if (this.#sample === null || size === null || size === 0) return null;
    const { entries, newest, pace } = this.#sample;
    return Math.min(after?.time ?? newest, newest) - (limit * ENTRIES_FOR_ONE_APPROVED * pace * entries) / size;
  }
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
  const isSameTime = a['time'] instanceof Date && b['time'] instanceof Date && a['time'].getTime() === b['time'].getTime();
  return isSameTime && a['place'] === b['place'] && a[TURN] === b[TURN];
}

function toTieredEntry(document: Document): TieredEntry | BadValue {
  const entry = toEntryPlace(document);
  return entry instanceof BadValue ? entry : { entry, tier: document[TURN] === 0 ? 0 : 1 };
}

function positionOf({ tier, entry: { time, type, id } }: TieredEntry): SearchPosition {
  return { tier, time, type, id };
}

function compare(a: SearchPosition, b: SearchPosition): number {
  return a.tier - b.tier || b.time - a.time || compareText(a.type, b.type) || compareText(a.id, b.id);
}
