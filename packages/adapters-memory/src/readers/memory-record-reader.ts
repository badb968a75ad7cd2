import {
  isOfKind,
  KINDS,
  type ApprovedRepositories,
  type ListQuery,
  type ReadContext,
  type RecordOf,
  type RecordReader,
  type ScopedKind,
  type TimePage,
} from '@vitrine/core';
import { present } from '../lists/filter-keys.js';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';
import { pageOfKind } from './kind-page.js';

/** Reads every kind that needs no port of its own. */
export class MemoryRecordReader<Kind extends ScopedKind> implements RecordReader<Kind> {
  readonly #store: MemoryStore;
  readonly #kind: Kind;
  readonly #filters: readonly (keyof ListQuery<Kind> & string)[];
  readonly #isOwned: boolean;

  constructor(store: MemoryStore, kind: Kind) {
    this.#store = store;
    this.#kind = kind;
    this.#filters = KINDS[kind].filters;
    this.#isOwned = KINDS[kind].ownership === 'always';
  }

  list(approved: ApprovedRepositories, query: ListQuery<Kind>, context: ReadContext): Promise<TimePage<RecordOf<Kind>>> {
    const filters = this.#filters.map((name) => present(name, query[name]));
    const scopes = this.#isOwned ? approved.refs : approved.scopes;
    return answerNow(context, () => pageOfKind(this.#store, this.#kind, { scopes, query, filters }));
  }

  byId(approved: ApprovedRepositories, idKey: string, context: ReadContext): Promise<RecordOf<Kind> | null> {
    return answerNow(context, () => {
      const found = this.#store.records.kind(this.#kind).ids.find(idKey, (scope) => approved.admits(scope));
      return isOfKind(this.#kind, found) ? found : null;
    });
  }
}
