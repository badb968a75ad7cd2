import { isOfKind, type Page, type TimePosition, type ListedKind, type RecordOf } from '@vitrine/core';
import type { ListQuestion } from '../lists/list-index.js';
import type { MemoryStore } from '../memory-store.js';

/** One page of one kind. */
export function pageOfKind<Kind extends ListedKind>(store: MemoryStore, kind: Kind, question: ListQuestion): Page<RecordOf<Kind>, TimePosition> {
  const { items, next } = store.records.kind(kind).lists.page(question);
  return { items: items.filter((record) => isOfKind(kind, record)), next };
}
