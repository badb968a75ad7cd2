import { compareText, idKeyOf, scopeOf, type ListedRecord, type ScopeRef } from '@vitrine/core';
import type { SlotTable } from '../slots/slot-table.js';

/** Slots of one kind by public id; several repositories may use one id. */
export class IdIndex {
  readonly #table: SlotTable;
  readonly #slots = new Map<string, readonly number[]>();

  constructor(table: SlotTable) {
    this.#table = table;
  }

  add(slot: number, record: ListedRecord): void {
    const id = idKeyOf(record);
    this.#slots.set(id, [...(this.#slots.get(id) ?? []), slot]);
  }

  remove(slot: number, record: ListedRecord): void {
    const id = idKeyOf(record);
    const others = this.#slots.get(id)?.filter((other) => other !== slot) ?? [];
    if (others.length === 0) this.#slots.delete(id);
    else this.#slots.set(id, others);
  }

  /** Of the admitted records with the id, the one of the scope that comes first by name. */
  find(idKey: string, admits: (scope: ScopeRef) => boolean): ListedRecord | null {
    const admitted = (this.#slots.get(idKey) ?? []).flatMap((slot) => this.#listed(slot) ?? []).filter((record) => admits(scopeOf(record)));
    return admitted.sort((a, b) => compareText(scopeOf(a), scopeOf(b)))[0] ?? null;
  }

  #listed(slot: number): ListedRecord | null {
    const record = this.#table.record(slot);
    return record === null || record.kind === 'repository' || record.kind === 'service' ? null : record;
  }
}
