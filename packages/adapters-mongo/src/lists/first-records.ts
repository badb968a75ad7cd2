import {
  type ApprovedRepositories,
  type AskedFilter,
  comparePositions,
  EARLIEST_INSTANT,
  holdsEmail,
  type ScopeRef,
  type TimeListQuery,
  type TimePosition,
} from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import type { StoredDocument } from '../documents/codec.js';
import { authorFilter } from '../documents/documents.js';
import { inParts, type OperationOptions } from '../reading/mongo-reading.js';
import type { ScopedCollection } from '../reading/find-documents.js';
import { type FieldValues, type ListPlan, MAX_MERGED_SCANS, newestOfEach, type StoredList } from './stored-lists.js';

export interface PageOptions extends OperationOptions {
  readonly limit: number;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly projection: Readonly<Record<string, 0>>;
}

/** The query for a page of records that belong to repositories. */
export interface ListPage {
  readonly approved: ApprovedRepositories;
  readonly filter: Filter<StoredDocument>;
  readonly plan: ListPlan;
  readonly options: PageOptions;
}

/** The position of a document. The filter of a list matches only documents whose time is a date and whose id is a text. */
export function positionIn({ time: field }: StoredList, document: Document | undefined): TimePosition | null {
  const { [field]: time, _id: id } = document ?? {};
  return time instanceof Date && typeof id === 'string' ? { time: time.getTime(), id } : null;
}

/**
 * The filter of a page. The time always has two bounds, also on the first page: otherwise the server does not check the other conditions on index keys.
 * `$nor` excludes the records with the time of the position up to its id. With `$or`, the planner would consider a second plan and
 * try it on every page.
 */
export function listFilter(
  { time }: StoredList,
  { from, to }: TimeListQuery,
  after: TimePosition | null,
  values: FieldValues,
): Filter<StoredDocument> {
  return {
    ...Object.fromEntries([...values].map(([path, accepted]) => [path, accepted.length === 1 ? accepted[0] : { $in: accepted }])),
    [time]: { $gte: new Date(from ?? EARLIEST_INSTANT), $lte: new Date(Math.min(to, after?.time ?? to)) },
    _id: { $gt: '' },
    ...(after === null ? {} : { $nor: [{ [time]: new Date(after.time), _id: { $lte: after.id } }] }),
  };
}

/**
 * The stored fields that filters restrict, with the accepted values. A value with an e-mail address matches nothing: another collector may have stored such an
 * address, and a record must not be found by a value that it does not show.
 */
export function fieldValues({ filters }: StoredList, asked: readonly AskedFilter[]): FieldValues {
  return new Map(
    asked.map(({ name, path, values }) => {
      const stored = name === 'author' ? values.flatMap(authorFilter) : values;
      return [filters[name] ?? path, stored.filter((one) => !holdsEmail(one))] as const;
    }),
  );
}

/** Time for one index seek in each scope: enough for 20,000 scopes. */
const MAX_SEEKS_MS = 100;

/** A scope with its first record that matches the filter of a page. */
export interface FirstOfScope {
  readonly scope: ScopeRef;
  readonly position: TimePosition;
}

/**
 * Finds the scopes that a page must be read from: those whose first records are the newest. This takes one index seek in every scope.
 *
 * @returns in the order of the list: as many as {@link countOfFirsts} says, or all scopes that have a record
 */
export async function firstRecords(list: StoredList, records: ScopedCollection, page: ListPage): Promise<readonly FirstOfScope[]> {
  const { approved, plan, options } = page;
  // A seek takes only ranges of the index. So records before the position count, too.
  const { $nor: _before, ...filter } = page.filter;
  const hint = plan.repositoryLed;
  const stages = [...newestOfEach(list, hint), { $sort: { time: -1, id: 1 } }, { $limit: countOfFirsts(page) }];
  const seeks = { signal: options.signal, maxTimeMS: MAX_SEEKS_MS, hint };
  const halves = inParts(approved.scopes, Math.ceil(approved.scopes.length / 2));
  const found = await Promise.all(halves.map((half) => records.aggregate(approved, filter, stages, seeks, half)));
  const firsts = found.flatMap(({ documents }) => documents.map(firstOfScope));
  return firsts.sort((a, b) => comparePositions(a.position, b.position)).slice(0, countOfFirsts(page));
}

/** Twice the number of records on a page, because some of them may come before the page. */
export function countOfFirsts({ options: { limit } }: ListPage): number {
  return Math.min(2 * limit, MAX_MERGED_SCANS);
}

/** The filter of a list matches only documents with a date and a text as id, and only requested scopes. */
function firstOfScope({ _id: scope, time, id }: Document): FirstOfScope {
  return { scope: scope as ScopeRef, position: { time: (time as Date).getTime(), id: id as string } };
}
