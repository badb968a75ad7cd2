import type { ApprovedRepositories, TimePosition } from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import { lenient } from '../reading/find-documents.js';
import type { OperationOptions } from '../reading/read-from.js';
import type { TimeRange } from './list-filter.js';
import type { FieldValues } from './list-plan.js';
import type { StoredList } from './stored-lists.js';

export interface PageOptions extends OperationOptions {
  readonly limit: number;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly projection: Readonly<Record<string, 0>>;
}

/** A page of records of repositories, as it is asked of the database. */
export interface ListPage {
  readonly approved: ApprovedRepositories;
  readonly filter: Filter<StoredDocument>;
  /** The range of times that the filter says. */
  readonly range: TimeRange;
  /** Those that the filter was made of. */
  readonly values: FieldValues;
  readonly options: PageOptions;
}

/** Where a document stands. The filter of a list lets only those through whose time is a date and whose id is text. */
export function positionIn({ time: field }: StoredList, bytes: Uint8Array | undefined): TimePosition | null {
  if (bytes === undefined) return null;
  const { [field]: time, _id: id }: Document = lenient(bytes);
  return time instanceof Date && typeof id === 'string' ? { time: time.getTime(), id } : null;
}
