import type { Instant, ListedRecord, Page, ScopeRef, TimeListQuery, TimePosition } from '@vitrine/core';
import { MergedSlots } from '../slots/merged-slots.js';
import type { Postings } from '../slots/postings.js';
import type { SlotTable } from '../slots/slot-table.js';
import { filterKeysOf, type FilterKey } from './filter-keys.js';
import { ScopeLists } from './scope-lists.js';

/** The request for one page of one kind. */
export interface ListQuestion {
  readonly scopes: readonly ScopeRef[];
  readonly query: TimeListQuery;
  /** A record must match all filters. It matches a filter if it has one of its keys. */
  readonly filters: readonly (readonly FilterKey[])[];
  /** A further condition, for which there is no index. */
  readonly also?: (record: ListedRecord) => boolean;
}

/**
 * The lists of one kind. A page costs a binary search in each requested scope, and a merge of as many records as the page has. Other scopes are not
 * read.
 */
export class ListIndex {
  readonly #table: SlotTable;
  readonly #rank: number;
  readonly #scopes = new Map<ScopeRef, ScopeLists>();

  constructor(table: SlotTable, rank: number) {
    this.#table = table;
    this.#rank = rank;
  }

  add(slot: number, scope: ScopeRef, record: ListedRecord): void {
    let lists = this.#scopes.get(scope);
    if (lists === undefined) this.#scopes.set(scope, (lists = new ScopeLists(this.#table)));
    lists.add(slot, record);
  }

  remove(slot: number, scope: ScopeRef, record: ListedRecord): void {
    this.#scopes.get(scope)?.remove(slot, record);
  }

  change(slot: number, scope: ScopeRef, before: ListedRecord, after: ListedRecord): void {
    this.#scopes.get(scope)?.change(slot, before, after);
  }

  settle(): void {
    for (const lists of this.#scopes.values()) lists.settle();
  }

  page({ scopes, query, filters, also }: ListQuestion): Page<ListedRecord, TimePosition> {
    const asked = filters.filter((keys) => keys.length > 0);
    const merged = new MergedSlots(this.#table, this.#sources(scopes, asked), this.#startsAfter(query));
    const found: number[] = [];
    for (let slot = merged.next(); slot >= 0 && found.length <= query.limit; slot = merged.next()) {
      if (query.from !== null && this.#table.time(slot) < query.from) break;
      if (this.#fulfils(slot, asked, also)) found.push(slot);
    }
    return this.#pageOf(found, query.limit);
  }

  /** All slots of a scope, newest first. */
  *slots(scope: ScopeRef): Iterable<number> {
    const all = this.#settled(scope);
    for (let i = (all?.length ?? 0) - 1; i >= 0; i--) yield all?.at(i) ?? -1;
  }

  /** The newest record of a scope up to a given time; `null` if there is none. */
  newest(scope: ScopeRef, notAfter: Instant): ListedRecord | null {
    const all = this.#settled(scope);
    const count = all?.countWhere((slot) => this.#table.time(slot) <= notAfter) ?? 0;
    return count === 0 ? null : this.#recordAt(all?.at(count - 1) ?? -1);
  }

  /** The time of the oldest record of a scope after a given time; `null` if there is none. */
  nextTime(scope: ScopeRef, after: Instant): Instant | null {
    const all = this.#settled(scope);
    const count = all?.countWhere((slot) => this.#table.time(slot) <= after) ?? 0;
    return all === undefined || count === all.length ? null : this.#table.time(all.at(count));
  }

  #settled(scope: ScopeRef): Postings | undefined {
    const all = this.#scopes.get(scope)?.all;
    all?.settle();
    return all;
  }

  #sources(scopes: readonly ScopeRef[], filters: ListQuestion['filters']): Postings[] {
    return scopes.flatMap((scope) => this.#scopes.get(scope)?.narrowest(filters) ?? []);
  }

  #startsAfter({ to, after }: TimeListQuery): (slot: number) => boolean {
    const table = this.#table;
    if (after === null) return (slot) => table.time(slot) <= to;
    return (slot) => table.time(slot) <= to && table.compareTo(slot, this.#rank, after) > 0;
  }

  #fulfils(slot: number, filters: ListQuestion['filters'], also: ListQuestion['also']): boolean {
    const record = this.#recordAt(slot);
    if (record === null || also?.(record) === false) return false;
    // With a single filter, the list itself contains only matching records.
    if (filters.length < 2) return true;
    const has = filterKeysOf(record);
    return filters.every((keys) => keys.some((key) => has.includes(key)));
  }

  #recordAt(slot: number): ListedRecord | null {
    const record = this.#table.record(slot);
    return record === null || record.kind === 'repository' || record.kind === 'service' ? null : record;
  }

  #pageOf(found: readonly number[], limit: number): Page<ListedRecord, TimePosition> {
    const slots = found.slice(0, limit);
    const last = slots.at(-1);
    const items = slots.flatMap((slot) => this.#recordAt(slot) ?? []);
    const next = found.length > limit && last !== undefined ? { time: this.#table.time(last), id: this.#table.key(last) } : null;
    return { items, next };
  }
}
