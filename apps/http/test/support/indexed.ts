import { openSearchIndex } from '@vitrine/adapters-sqlite';
import type { IndexedBesideStore, RecordStore } from '@vitrine/core';
import { withIndex } from '@vitrine/core/testing';

/** A store whose searches go to an index in memory. */
export function indexed(store: IndexedBesideStore): RecordStore {
  return withIndex(store, ({ scan, changeFeed: feed }, approved) =>
    openSearchIndex({ scan, feed, approved, folder: null, name: 'test', onFolderProblem: () => undefined, onFailure: () => undefined }),
  );
}
