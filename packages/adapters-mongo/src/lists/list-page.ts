import {
  acceptedValues,
  EARLIEST_INSTANT,
  holdsEmail,
  type ApprovedRepositories,
  type FilterValue,
  type Instant,
  type TimeListQuery,
  type TimePosition,
} from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import type { StoredDocument } from '../documents/codec.js';
import { authorFilter } from '../documents/documents.js';
import type { OperationOptions } from '../reading/mongo-reading.js';
import type { FieldValues, StoredList } from './stored-lists.js';

export interface PageOptions extends OperationOptions {
  readonly limit: number;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly projection: Readonly<Record<string, 0>>;
}

/** The query for a page of records that belong to repositories. */
export interface ListPage {
  readonly approved: ApprovedRepositories;
  readonly filter: Filter<StoredDocument>;
  /** The time range that the filter contains. */
  readonly range: TimeRange;
  /** The values from which the filter was built. */
  readonly values: FieldValues;
  readonly options: PageOptions;
}

/** The position of a document. The filter of a list matches only documents whose time is a date and whose id is a text. */
export function positionIn({ time: field }: StoredList, document: Document | undefined): TimePosition | null {
  const { [field]: time, _id: id } = document ?? {};
  return time instanceof Date && typeof id === 'string' ? { time: time.getTime(), id } : null;
}

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

/**
 * The stored fields that a query restricts, with the accepted values. A value with an e-mail address matches nothing: another collector may have stored such an
 * address, and a record must not be found by a value that it does not show.
 */
export function fieldValues({ filters }: StoredList, query: object): FieldValues {
  const wanted = query as Readonly<Record<string, FilterValue | undefined>>;
  return new Map(
    Object.entries(filters).flatMap(([name, path]) => {
      const accepted = acceptedValues(wanted[name]);
      if (accepted === null) return [];
      const stored = name === 'author' ? accepted.flatMap(authorFilter) : accepted;
      return [[path, stored.filter((one) => !holdsEmail(one))] as const];
    }),
  );
}
