import { comparePositions, type Clock } from '@vitrine/core';
import { inParts } from '../in-parts.js';
import type { ScopedCollection } from '../reading/scoped-collection.js';
import { countOfFirsts, FirstRecords, type FirstOfScope } from './first-records.js';
import { positionIn, type ListPage } from './list-page.js';
import { planList, repositoryLedHint } from './list-plan.js';
import { SlowWalks } from './slow-walks.js';
import type { StoredList } from './stored-lists.js';

/** Where approved records lie thick a walk by time takes 1 to 3 ms. Elsewhere so much is lost, which is little more than the next way takes. */
const MAX_WALK_MS = 15;

/** A list of more scopes than one query can merge. Three ways lead to the same page; each is for where the one before it is slow. */
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

  /** Along the index that is led by the time, past all that is hidden. */
  #byTime({ approved, filter, values, options }: ListPage): Promise<readonly Uint8Array[] | null> {
    const { hint } = planList(this.#list, approved.scopes.length, values);
    const walk = JSON.stringify(['time', approved.revision, ...values]);
    return this.#walks.tried(walk, () => this.#records.findBytes(approved, filter, { ...options, hint, maxTimeMS: MAX_WALK_MS }));
  }

  /** In a few scopes, those with the newest records: what the others hold stands behind all of these. */
  async #amongFirst(page: ListPage): Promise<readonly Uint8Array[] | null> {
    const { approved, filter, values, options } = page;
    // Only what one range of the index says whole is found by a seek.
    if ([...values.values()].flat().length > 1) return null;
    const walk = JSON.stringify(['first', approved.revision, ...values]);
    const firsts = await this.#walks.tried(walk, () => this.#firsts.of(page));
    if (firsts === null) return null;
    const scopes = firsts.map(({ scope }) => scope);
    const found = await this.#records.findBytes(approved, filter, { ...options, hint: repositoryLedHint(this.#list, values) }, scopes);
    return this.#isWhole(page, firsts, found) ? found : null;
  }

  /** A first record may stand at the very time that the page comes after. Where many do, a scope that was not looked into could have a place on the page. */
  #isWhole(page: ListPage, firsts: readonly FirstOfScope[], found: readonly Uint8Array[]): boolean {
    const [lastFirst, last] = [firsts.at(-1), positionIn(this.#list, found.at(-1))];
    if (lastFirst === undefined || firsts.length < countOfFirsts(page)) return true;
    return last !== null && found.length === page.options.limit && comparePositions(last, lastFirst.position) <= 0;
  }

  /** In parts that can be merged, all at the same time. */
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
