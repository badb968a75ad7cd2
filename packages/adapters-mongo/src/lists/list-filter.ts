import { EARLIEST_INSTANT, type Instant, type TimeListQuery, type TimePosition } from '@vitrine/core';
import type { Filter } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import type { FieldValues } from './list-plan.js';
import type { StoredList } from './stored-lists.js';

/** The time range of a page, both ends included. */
export interface TimeRange {
  readonly from: Instant;
  readonly to: Instant;
}

export function rangeOf({ from, to }: TimeListQuery, after: TimePosition | null): TimeRange {
  return { from: from ?? EARLIEST_INSTANT, to: Math.min(to, after?.time ?? to) };
}

/**
 * The filter of a page. The time always has two bounds, also on the first page: otherwise the server does not check the other conditions on index keys.
 * `$nor` excludes the records with the time of the position up to its id. With `$or`, the planner would consider a second plan and
 * try it on every page.
 */
export function listFilter({ time }: StoredList, { from, to }: TimeRange, after: TimePosition | null, values: FieldValues): Filter<StoredDocument> {
  return {
    ...Object.fromEntries([...values].map(([path, accepted]) => [path, accepted.length === 1 ? accepted[0] : { $in: accepted }])),
    [time]: { $gte: new Date(from), $lte: new Date(to) },
    _id: { $gt: '' },
    ...(after === null ? {} : { $nor: [{ [time]: new Date(after.time), _id: { $lte: after.id } }] }),
  };
}
