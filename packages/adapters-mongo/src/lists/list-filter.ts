import { EARLIEST_INSTANT, type Instant, type TimeListQuery, type TimePosition } from '@vitrine/core';
import type { Filter } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import type { FieldValues } from './list-plan.js';
import type { StoredList } from './stored-lists.js';

/** Between which moments a page is looked for, both included. */
export interface TimeRange {
  readonly from: Instant;
  readonly to: Instant;
}

export function rangeOf({ from, to }: TimeListQuery, after: TimePosition | null): TimeRange {
  return { from: from ?? EARLIEST_INSTANT, to: Math.min(to, after?.time ?? to) };
}

/**
 * The filter of a page. The time is bounded at both ends, also on the first page: only then are the other conditions judged on index keys,
 * and what stands at the position's time up to its id is taken out by `$nor`, which the planner never turns into a second plan to be tried
 * on every page, as it does with `$or`.
 */
export function listFilter({ time }: StoredList, { from, to }: TimeRange, after: TimePosition | null, values: FieldValues): Filter<StoredDocument> {
  return {
    ...Object.fromEntries([...values].map(([path, accepted]) => [path, accepted.length === 1 ? accepted[0] : { $in: accepted }])),
    [time]: { $gte: new Date(from), $lte: new Date(to) },
    _id: { $gt: '' },
    ...(after === null ? {} : { $nor: [{ [time]: new Date(after.time), _id: { $lte: after.id } }] }),
  };
}
