import { compareText, isOfKind, keyFor, KINDS, scopeOf, type RecordReader, type ScopedKind } from '@vitrine/core';
import { filterOf } from '../lists/filter-of.js';
import { listPage } from '../lists/list-page.js';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

/** Reads a kind that has no special port. */
export function memoryRecordReader<Kind extends ScopedKind>(store: MemoryStore, kind: Kind): RecordReader<Kind> {
  return {
    list: (approved, query, context) => {
      const scopes = KINDS[kind].ownership === 'always' ? approved.refs : approved.scopes;
      return answerNow(context, () => listPage(store, kind, scopes, query, filterOf(kind, query)));
    },
    byId: (approved, idKey, context) =>
      answerNow(context, () => {
        const found = approved.scopes.flatMap((scope) => store.find<ScopedKind>(kind, keyFor(idKey, scope)) ?? []);
        const [first = null] = found.sort((a, b) => compareText(scopeOf(a), scopeOf(b)));
        return isOfKind(kind, first) ? first : null;
      }),
  };
}
