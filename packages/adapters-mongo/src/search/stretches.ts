import type { Instant, SearchPosition } from '@vitrine/core';
import type { Filter } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import type { QueryInTurn } from '../reading/scoped-collection.js';
import { FIRST_TIME, placeOf } from './search-place.js';

/** One part of a tier's order as bounds that the index follows exactly, and the sort that the index gives within it. */
interface Stretch {
  readonly bounds: Filter<StoredDocument>;
  readonly sort: QueryInTurn['sort'];
}

/**
 * What comes after a position, in order: what stands at its own time, then what is older.
 *
 * @param seam where to part that once more, so that a merge of many keys finds at once which of them hold nothing newer; `null` for nowhere
 */
export function stretchesFrom(after: SearchPosition | null, seam: Instant | null): readonly Stretch[] {
  if (after === null) return partedAt(seam, { $lte: new Date(FIRST_TIME) });
  const time = new Date(after.time);
  return [{ bounds: { time, place: { $gte: placeOf(after) } }, sort: { place: 1 } }, ...partedAt(seam, { $lt: time })];
}

function partedAt(seam: Instant | null, time: { readonly $lte: Date } | { readonly $lt: Date }): readonly Stretch[] {
  const [place, sort] = [{ $gte: '' }, { time: -1, place: 1 } as const];
  // Before 1970 hardly anything is left to part.
  if (seam === null || seam <= 0) return [{ bounds: { time, place }, sort }];
  const at = new Date(seam);
  return [
    { bounds: { time: { ...time, $gte: at }, place }, sort },
    { bounds: { time: { $lt: at }, place }, sort },
  ];
}
