import { scopeOf, type ListedRecord, type ListedKind } from '@vitrine/core';
import { ListIndex } from '../lists/list-index.js';
import type { SlotTable } from '../slots/slot-table.js';
import { IdIndex } from './id-index.js';
import { rankOf } from './record-place.js';
import { ShaIndex } from './sha-index.js';

/** All indexes of one listed kind. Commits are identified by sha, all others by id. */
export class KindIndex {
  readonly lists: ListIndex;
  readonly ids: IdIndex;
  readonly shas: ShaIndex;

  constructor(table: SlotTable, kind: ListedKind) {
    this.lists = new ListIndex(table, rankOf(kind));
    this.ids = new IdIndex(table);
    this.shas = new ShaIndex(table);
  }

  add(slot: number, record: ListedRecord): void {
    this.lists.add(slot, scopeOf(record), record);
    if (record.kind === 'commit') this.shas.add(slot, record);
    else this.ids.add(slot, record);
  }

  remove(slot: number, record: ListedRecord): void {
    this.lists.remove(slot, scopeOf(record), record);
    if (record.kind === 'commit') this.shas.remove(slot, record);
    else this.ids.remove(slot, record);
  }
}
