import type { ReadContext, SearchReader } from '../ports/readers.js';
import type { IndexedBesideStore, RecordStore } from '../ports/store.js';
import type { ApprovedRepositories } from '../rules/allowlist.js';

/** A search index, which follows the feed of a store. */
export interface IndexBeside {
  readonly search: SearchReader;
  approve(approved: ApprovedRepositories): void;
  /** Resolves when searches find everything that was written, and only what was approved, before this call. */
  caughtUp(context: ReadContext): Promise<void>;
  close(): Promise<void>;
}

type OpenIndex = (store: IndexedBesideStore, approved: ApprovedRepositories) => IndexBeside;

/** A store whose searches go to an index beside it, and see what was written through it. Until the first `indexFor`, the index holds what a search may find. */
export function withIndex(store: IndexedBesideStore, open: OpenIndex): RecordStore {
  const index = new FollowingIndex(store, open);
  const { writer, readers } = store;
  return {
    ...store,
    readers: {
      ...readers,
      search: { search: async (approved, query, context) => (await index.at(approved, context)).search.search(approved, query, context) },
    },
    writer: {
      put: (...args) => index.after(writer.put(...args)),
      remove: (...args) => index.after(writer.remove(...args)),
      withdraw: (...args) => index.after(writer.withdraw(...args)),
      moveCommits: (...args) => index.after(writer.moveCommits(...args)),
      indexFor: async (approved, context) => {
        await index.after(writer.indexFor(approved, context));
        await index.keepTo(approved, context);
      },
    },
    close: async () => {
      await index.close();
      await store.close();
    },
  };
}

class FollowingIndex {
  readonly #open: (approved: ApprovedRepositories) => IndexBeside;
  #index: IndexBeside | null = null;
  /** The list of the last `indexFor`. */
  #list: ApprovedRepositories | null = null;
  #shown: ApprovedRepositories | null = null;
  #isBehind = true;

  constructor(store: IndexedBesideStore, open: OpenIndex) {
    this.#open = (approved) => open(store, approved);
  }

  async keepTo(list: ApprovedRepositories, context: ReadContext): Promise<void> {
    this.#list = list;
    await this.at(list, context);
  }

  /** The index, in line with the store. */
  async at(approved: ApprovedRepositories, context: ReadContext): Promise<IndexBeside> {
    const list = this.#list ?? approved;
    const index = (this.#index ??= this.#open(list));
    if (list !== this.#shown) index.approve(list);
    if (this.#isBehind || list !== this.#shown) await index.caughtUp(context);
    [this.#shown, this.#isBehind] = [list, false];
    return index;
  }

  after<Result>(write: Promise<Result>): Promise<Result> {
    this.#isBehind = true;
    return write;
  }

  async close(): Promise<void> {
    await this.#index?.close();
  }
}
