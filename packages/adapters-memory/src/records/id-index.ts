import { compareText, idKeyOf, scopeOf, type ListedRecord, type ScopeRef } from '@vitrine/core';
import type { SlotTable } from '../slots/slot-table.js';

/** The slots of one kind by public id. Several repositories may have a record with the same id. */
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

  /** Among the admitted records with this id, the one whose scope comes first by name. */
  find(idKey: string, admits: (scope: ScopeRef) => boolean): ListedRecord | null {
    const admitted = (this.#slots.get(idKey) ?? []).flatMap((slot) => this.#listed(slot) ?? []).filter((record) => admits(scopeOf(record)));
    return admitted.sort((a, b) => compareText(scopeOf(a), scopeOf(b)))[0] ?? null;
  }

  #listed(slot: number): ListedRecord | null {
    const record = this.#table.record(slot);
    return record === null || record.kind === 'repository' || record.kind === 'service' ? null : record;
  }
}
