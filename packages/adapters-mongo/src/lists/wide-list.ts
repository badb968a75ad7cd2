import { comparePositions, type Clock } from '@vitrine/core';
import { inParts } from '../in-parts.js';
import type { ScopedCollection } from '../reading/scoped-collection.js';
import { countOfFirsts, FirstRecords, type FirstOfScope } from './first-records.js';
import { positionIn, type ListPage } from './list-page.js';
import { planList, repositoryLedHint } from './list-plan.js';
import { SlowWalks } from './slow-walks.js';
import type { StoredList } from './stored-lists.js';

/** If most records are approved, a scan by time takes 1 to 3 ms. If not, this limit is lost time, but hardly more than the next way takes. */
const MAX_WALK_MS = 15;

/** A list with more scopes than one query can merge. It tries three ways to read the same page, each for cases in which the previous one is slow. */
export class WideList {
  readonly #list: StoredList;
  readonly #records: ScopedCollection;
  readonly #walks: SlowWalks;
  readonly #firsts: FirstRecords;

  constructor(list: StoredList, records: ScopedCollection, clock: Clock) {
    this.#list = list;
    this.#records = records;
    this.#walks = new SlowWalks(clock);
    this.#firsts = new FirstRecords(list, records, clock);
  }

  async find(page: ListPage): Promise<readonly Uint8Array[]> {
    return (await this.#byTime(page)) ?? (await this.#amongFirst(page)) ?? (await this.#inParts(page));
  }

  /** Scans the index that starts with the time, and skips all hidden records. */
  #byTime({ approved, filter, values, options }: ListPage): Promise<readonly Uint8Array[] | null> {
    const { hint } = planList(this.#list, approved.scopes.length, values);
    const walk = JSON.stringify(['time', approved.revision, ...values]);
    return this.#walks.tried(walk, () => this.#records.findBytes(approved, filter, { ...options, hint, maxTimeMS: MAX_WALK_MS }));
  }

  /** Reads only the few scopes with the newest records. All records of other scopes come later in the list. */
  async #amongFirst(page: ListPage): Promise<readonly Uint8Array[] | null> {
    const { approved, filter, values, options } = page;
    // A seek finds the first record only if the condition is a single range of the index.
    if ([...values.values()].flat().length > 1) return null;
    const walk = JSON.stringify(['first', approved.revision, ...values]);
    const firsts = await this.#walks.tried(walk, () => this.#firsts.of(page));
    if (firsts === null) return null;
    const scopes = firsts.map(({ scope }) => scope);
    const found = await this.#records.findBytes(approved, filter, { ...options, hint: repositoryLedHint(this.#list, values) }, scopes);
    return this.#isWhole(page, firsts, found) ? found : null;
  }

  /** Whether the page is complete. Many first records can have the same time as the position before the page. Then a scope that was not read could also have a record on the page. */
  #isWhole(page: ListPage, firsts: readonly FirstOfScope[], found: readonly Uint8Array[]): boolean {
    const [lastFirst, last] = [firsts.at(-1), positionIn(this.#list, found.at(-1))];
    if (lastFirst === undefined || firsts.length < countOfFirsts(page)) return true;
    return last !== null && found.length === page.options.limit && comparePositions(last, lastFirst.position) <= 0;
  }

  /** Reads the scopes in parts that are small enough to merge, all at the same time. */
  async #inParts({ approved, filter, values, options }: ListPage): Promise<readonly Uint8Array[]> {
    const { scopesAtOnce } = planList(this.#list, approved.scopes.length, values);
    const hint = repositoryLedHint(this.#list, values);
    const parts = inParts(approved.scopes, scopesAtOnce);
    const found = await Promise.all(parts.map((part) => this.#records.findBytes(approved, filter, { ...options, hint }, part)));
    const placed = found.flat().map((bytes) => ({ bytes, position: positionIn(this.#list, bytes) }));
    return placed
      .sort((a, b) => (a.position === null || b.position === null ? 0 : comparePositions(a.position, b.position)))
      .slice(0, options.limit)
      .map(({ bytes }) => bytes);
  }
}
