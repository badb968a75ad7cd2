import { compareText, type ApprovedRepositories, type SearchPosition } from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { decoded } from '../reading/decoding.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import { ScopedCollection, TURN, type QueryInTurn } from '../reading/scoped-collection.js';
import { ENTRY_INDEX } from './entry-keys.js';
import { PLACE_PROJECTION, toEntryPlace, type EntryPlace } from './search-entry-document.js';
import { FIRST_TIME, placeOf } from './search-place.js';
import type { Tier, TierFilter } from './tier-filter.js';

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

/** One part of a tier's order as bounds of the index, and the sort that the index gives within it. */
interface Stretch {
  readonly bounds: Filter<StoredDocument>;
  readonly sort: QueryInTurn['sort'];
}

interface WalkPart extends QueryInTurn {
  readonly tier: Tier;
}

const TIERS: readonly Tier[] = [0, 1];

/** Walks the entries that stand in approved repositories, one tier after the other. */
export class EntryWalk {
  readonly #reading: MongoReading;
  readonly #approved: ApprovedRepositories;
  readonly #filterOf: (tier: Tier) => TierFilter;
  readonly #options: OperationOptions;

  constructor(reading: MongoReading, approved: ApprovedRepositories, filterOf: (tier: Tier) => TierFilter, options: OperationOptions) {
    this.#reading = reading;
    this.#approved = approved;
    this.#filterOf = filterOf;
    this.#options = options;
  }

  /**
   * About so many entries. The index orders by the beginning of ids only, so entries that it does not tell apart are put in order here, and
   * come together.
   */
  async next(after: SearchPosition | null, count: number): Promise<EntryBatch> {
    const parts = TIERS.filter((tier) => tier >= (after?.tier ?? 0)).flatMap((tier) => this.#partsOf(tier, after));
    const scoped = new ScopedCollection(this.#reading.collections.of('search_entries'));
    for (let limit = count; ; limit *= 2) {
      const options = { ...this.#options, limit, projection: PLACE_PROJECTION, hint: ENTRY_INDEX };
      const found = await scoped.findInTurn(this.#approved, parts, options);
      const isLast = found.documents.length < limit;
      const closed = isLast ? found.documents : withoutLastGroup(found.documents);
      const entries = decoded('search-entry', { ...found, documents: closed }, this.#reading.monitor, (document) => toTieredEntry(document, parts))
        .filter((tiered) => after === null || compare(positionOf(tiered), after) > 0)
        .sort((a, b) => compare(positionOf(a), positionOf(b)));
      const end = entries.at(-1);
      if (isLast || end !== undefined) return { entries, next: isLast || end === undefined ? null : positionOf(end) };
    }
  }
  #partsOf(tier: Tier, after: SearchPosition | null): readonly WalkPart[] {
    const { keys, conditions } = this.#filterOf(tier);
    if (keys.length === 0) return [];
    const stretches = stretchesFrom(after?.tier === tier ? after : null);
    return stretches.map(({ bounds, sort }) => ({ tier, sort, filter: { ...conditions, ...bounds, keys: { $in: [...keys] } } }));
  }
}

/** Bounds that the index follows exactly: what stands at the position's own time, then what is older. */
function stretchesFrom(after: SearchPosition | null): readonly Stretch[] {
  const sort = { time: -1, place: 1 } as const;
  if (after === null) return [{ bounds: { time: { $lte: new Date(FIRST_TIME) }, place: { $gte: '' } }, sort }];
  const time = new Date(after.time);
  return [
    { bounds: { time, place: { $gte: placeOf(after) } }, sort: { place: 1 } },
    { bounds: { time: { $lt: time }, place: { $gte: '' } }, sort },
  ];
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

function toTieredEntry(document: Document, parts: readonly WalkPart[]): TieredEntry | BadValue {
  const entry = toEntryPlace(document);
  return entry instanceof BadValue ? entry : { entry, tier: parts.find((_, turn) => turn === document[TURN])?.tier ?? 1 };
}

function positionOf({ tier, entry: { time, type, id } }: TieredEntry): SearchPosition {
  return { tier, time, type, id };
}

function compare(a: SearchPosition, b: SearchPosition): number {
  return a.tier - b.tier || b.time - a.time || compareText(a.type, b.type) || compareText(a.id, b.id);
}
