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
export function positionIn({ time: field }: StoredList, bytes: Uint8Array | undefined): TimePosition | null {
  if (bytes === undefined) return null;
  const { [field]: time, _id: id }: Document = lenient(bytes);
  return time instanceof Date && typeof id === 'string' ? { time: time.getTime(), id } : null;
}
