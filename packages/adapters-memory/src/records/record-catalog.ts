import {
  keyOfIdentity,
  nameOfRef,
  NO_REPOSITORY,
  scopeOfRecord,
  LISTED_KINDS,
  type ApprovedRepositories,
  type RepositoryRecord,
  type ScopeRef,
  type Service,
  type ListedKind,
} from '@vitrine/core';
import { SearchIndex } from '../search/search-index.js';
import { SearchIndexer } from '../search/search-indexer.js';
import { comparePlaces, SlotTable, type SlotPlace, type SlottedRecord } from '../slots/slot-table.js';
import { KindIndex } from './kind-index.js';
import { placeOf } from './record-place.js';

/** Slots of removed records are reused when there are this many of them. */
const RECLAIM_FROM = 4_096;

/** All records that are in a list or can be found by search, with all their indexes. */
export class RecordCatalog {
  readonly table = new SlotTable();
  readonly index: SearchIndex;
  readonly indexer: SearchIndexer;
  readonly #slots = new Map<SlottedRecord['kind'], Map<string, number>>();
  readonly #kinds: ReadonlyMap<ListedKind, KindIndex>;

  #loaded: { readonly record: SlottedRecord; readonly place: SlotPlace }[] = [];

  /** @param approved the repositories whose records search finds; `null` for all */
  constructor(approved: ApprovedRepositories | null) {
    this.#kinds = new Map(LISTED_KINDS.map((kind) => [kind, new KindIndex(this.table, kind)]));
    this.index = new SearchIndex(this.table, this.kind('commit').shas);
    this.indexer = new SearchIndexer(this.index, this.table, (scope) => this.#repositoryName(scope), approved);
  }

  kind(kind: ListedKind): KindIndex {
    const index = this.#kinds.get(kind);
    if (index === undefined) throw new RangeError(`no list of ${kind}`);
    return index;
  }

  find(kind: SlottedRecord['kind'], key: string): SlottedRecord | null {
    const slot = this.#slots.get(kind)?.get(key);
    return slot === undefined ? null : this.table.record(slot);
  }

  repository(ref: ScopeRef): RepositoryRecord | null {
    const record = ref === NO_REPOSITORY ? null : this.find('repository', ref);
    return record?.kind === 'repository' ? record : null;
  }

  services(): readonly Service[] {
    return this.all('service').flatMap((record) => (record.kind === 'service' ? [record] : []));
  }

  all(kind: SlottedRecord['kind']): readonly SlottedRecord[] {
    return [...(this.#slots.get(kind)?.values() ?? [])].flatMap((slot) => this.table.record(slot) ?? []);
  }

  put(record: SlottedRecord): void {
    const key = keyOfIdentity(record);
    const slot = this.#slotsOf(record.kind).get(key);
    const before = slot === undefined ? null : this.table.record(slot);
    if (slot === undefined || before === null) this.#index(this.#insert(record), record);
    else if (placeOf(before).time === placeOf(record).time) this.#replace(slot, before, record);
    else {
      this.#drop(slot, key, before);
      this.#index(this.#insert(record), record);
    }
    if (record.kind === 'repository') this.#renamed(record.repositoryRef, before?.kind === 'repository' ? before.fullName : null, record.fullName);
  }

  remove(kind: SlottedRecord['kind'], key: string): void {
    const slot = this.#slots.get(kind)?.get(key);
    const before = slot === undefined ? null : this.table.record(slot);
    if (slot === undefined || before === null) return;
    this.#drop(slot, key, before);
    if (before.kind === 'repository') this.#renamed(before.repositoryRef, before.fullName, null);
  }

  /** Adds a stored record without indexing it; {@link indexLoaded} indexes all of them at once. */
  load(record: SlottedRecord): void {
    this.#loaded.push({ record, place: placeOf(record) });
  }

  /** Builds the lists from the loaded records, and starts to index them for search. */
  indexLoaded(): void {
    // In the order of the lists, last first. So every list grows at its end, and neighbours in a list are neighbours in memory.
    const loaded = this.#loaded.sort((a, b) => comparePlaces(b.place, a.place));
    this.#loaded = [];
    const slots = Int32Array.from(loaded, ({ record, place }) => {
      const slot = this.#insert(record, place);
      this.#list(slot, record);
      return slot;
    });
    this.indexer.build(slots);
  }

  #insert(record: SlottedRecord, place = placeOf(record)): number {
    const slot = this.table.insert(record, place);
    this.#slotsOf(record.kind).set(record.kind === 'repository' ? keyOfIdentity(record) : place.key, slot);
    return slot;
  }

  #index(slot: number, record: SlottedRecord): void {
    this.#list(slot, record);
    this.indexer.add(slot, record);
  }

  #list(slot: number, record: SlottedRecord): void {
    if (record.kind !== 'repository' && record.kind !== 'service') this.kind(record.kind).add(slot, record);
  }

  #replace(slot: number, before: SlottedRecord, record: SlottedRecord): void {
    this.indexer.change(slot, before, record);
    this.table.replace(slot, record);
    if (isListed(before) && isListed(record)) this.kind(record.kind).lists.change(slot, scopeOfRecord(record), before, record);
  }

  #drop(slot: number, key: string, record: SlottedRecord): void {
    this.#slotsOf(record.kind).delete(key);
    if (isListed(record)) this.kind(record.kind).remove(slot, record);
    this.indexer.remove(slot, record);
    this.table.retire(slot);
    if (this.table.retired > Math.max(RECLAIM_FROM, this.table.live / 4)) this.#reclaim();
  }

  #reclaim(): void {
    for (const { lists } of this.#kinds.values()) lists.settle();
    this.index.vocabulary.settle();
    this.table.reclaim();
  }

  #slotsOf(kind: SlottedRecord['kind']): Map<string, number> {
    let slots = this.#slots.get(kind);
    if (slots === undefined) this.#slots.set(kind, (slots = new Map<string, number>()));
    return slots;
  }

  #repositoryName(scope: ScopeRef): string | null {
    return this.repository(scope)?.fullName ?? null;
  }

  #renamed(ref: RepositoryRecord['repositoryRef'], before: string | null, after: string | null): void {
    const slots = LISTED_KINDS.flatMap((kind) => [...this.kind(kind).lists.slots(ref)]);
    this.indexer.rename(slots, before ?? nameOfRef(ref), after ?? nameOfRef(ref));
  }
}

function isListed(record: SlottedRecord): record is Exclude<SlottedRecord, RepositoryRecord | Service> {
  return record.kind !== 'repository' && record.kind !== 'service';
}
