import {
  type ApprovedRepositories,
  type AskedFilter,
  type Clock,
  comparePositions,
  EARLIEST_INSTANT,
  holdsEmail,
  type Instant,
  type ScopeRef,
  SECOND,
  type TimeListQuery,
  type TimePosition,
} from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import { type Document, type Filter, MongoServerError } from 'mongodb';
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
  /** The time range that the filter contains. */
  readonly range: TimeRange;
  /** The values from which the filter was built. */
  readonly values: FieldValues;
  readonly plan: ListPlan;
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
  const { approved, range, values, plan, options } = page;
  const hint = plan.repositoryLed;
  const filter = listFilter(list, range, null, values);
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

/** How long a scan is skipped after it was too slow. Perhaps there are too many hidden records between the approved ones; perhaps the server was only busy. */
const SKIPPED_MS = 5 * SECOND;
const MAX_REMEMBERED = 1_000;
const MAX_TIME_EXPIRED = 50;

/** Remembers scans that were too slow. */
export class SlowScans {
  /** Made for the first slow scan: a cache takes its memory at once, and most lists have no slow scan. */
  #slow: LRUCache<string, true> | null = null;

  constructor(private readonly clock: Clock) {}

  /** The result of a scan with a time limit; `null` if the limit was exceeded, or if the scan is skipped at the moment. */
  async tried<Found>(name: string, scan: () => Promise<Found>): Promise<Found | null> {
    if (this.#slow?.has(name) === true) return null;
    try {
      return await scan();
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED)) throw error;
      this.#slow ??= new LRUCache({ max: MAX_REMEMBERED, ttl: SKIPPED_MS, ttlResolution: 0, perf: this.clock });
      this.#slow.set(name, true);
      return null;
    }
  }
}
