import { comparePositions, SECOND, type ApprovedRepositories, type Clock, type Instant, type ScopeRef, type TimePosition } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import { inParts } from '../in-parts.js';
import type { ScopedCollection } from '../reading/scoped-collection.js';
import { listFilter } from './list-filter.js';
import type { ListPage } from './list-page.js';
import { MAX_MERGED_SCANS, repositoryLedHint } from './list-plan.js';
import type { StoredList } from './stored-lists.js';

/** One seek for each scope: enough for 20,000 of them. */
const MAX_SEEKS_MS = 100;
/** By so much a list that goes up to the present may be behind its store. */
const REMEMBERED_MS = SECOND;
/** At most 200 scopes each: half a megabyte. */
const REMEMBERED_LISTS = 16;

/** A scope with its first record of those that a page's filter finds. */
export interface FirstOfScope {
  readonly scope: ScopeRef;
  readonly position: TimePosition;
}

interface Remembered {
  readonly approved: ApprovedRepositories;
  /** Up to when they were looked for. */
  readonly to: Instant;
  readonly firsts: readonly FirstOfScope[];
}

/**
 * In which scopes a page is to be looked for: those whose first records come first. Many ask for what is newest, and each time that costs a seek in every
 * scope, so for a second it is remembered which scopes hold it; their records are read each time.
 */
export class FirstRecords {
  readonly #list: StoredList;
  readonly #records: ScopedCollection;
  readonly #clock: Clock;
  readonly #newest: LRUCache<string, Remembered>;

  constructor(list: StoredList, records: ScopedCollection, clock: Clock) {
    this.#list = list;
    this.#records = records;
    this.#clock = clock;
    this.#newest = new LRUCache({ max: REMEMBERED_LISTS, ttl: REMEMBERED_MS, ttlResolution: 0, perf: clock });
  }

  /** In the order of the list: as many as {@link countOfFirsts} says, or all that have a record. */
  async of(page: ListPage): Promise<readonly FirstOfScope[]> {
    const { approved, range, values } = page;
    if (range.to <= this.#clock.now()) return this.#search(page, range.to);
    const question = JSON.stringify([countOfFirsts(page), range.from, ...values]);
    const known = this.#newest.get(question);
    if (known !== undefined && known.approved === approved && range.to <= known.to) return known.firsts;
    // The present moves on: so far go all who ask within the second.
    const to = range.to + REMEMBERED_MS;
    const firsts = await this.#search(page, to);
    this.#newest.set(question, { approved, to, firsts });
    return firsts;
  }

  async #search(page: ListPage, to: Instant): Promise<readonly FirstOfScope[]> {
    const { approved, range, values, options } = page;
    const filter = listFilter(this.#list, { ...range, to }, null, values);
    const hint = repositoryLedHint(this.#list, values);
    const stages = [
      // In the order of the index, so that the server passes from the first of one scope to that of the next.
      { $sort: hint },
      { $group: { _id: '$repositoryRef', time: { $first: `$${this.#list.time}` }, id: { $first: '$_id' } } },
      { $sort: { time: -1, id: 1 } },
      { $limit: countOfFirsts(page) },
    ];
    const seeks = { signal: options.signal, maxTimeMS: MAX_SEEKS_MS, hint };
    const halves = inParts(approved.scopes, Math.ceil(approved.scopes.length / 2));
    const found = await Promise.all(halves.map((half) => this.#records.aggregate(approved, filter, stages, seeks, half)));
    const firsts = found.flatMap(({ documents }) => documents.map(firstOfScope));
    return firsts.sort((a, b) => comparePositions(a.position, b.position)).slice(0, countOfFirsts(page));
  }
}

/** As many as the page has places, and as many again, because some may stand before the page. */
export function countOfFirsts({ options: { limit } }: ListPage): number {
  return Math.min(2 * limit, MAX_MERGED_SCANS);
}

/** What the filter of a list lets through has a date and an id of text; the scope is one that was asked for. */
function firstOfScope({ _id: scope, time, id }: Document): FirstOfScope {
  return { scope: scope as ScopeRef, position: { time: (time as Date).getTime(), id: id as string } };
}
