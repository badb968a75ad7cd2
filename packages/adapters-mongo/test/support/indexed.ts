import { openSearchIndex } from '@vitrine/adapters-sqlite';
import type { IndexedBesideStore, RecordStore } from '@vitrine/core';
import { withIndex } from '@vitrine/core/testing';

function rethrow(error: unknown): never {
  throw error;
}

/** A store whose searches go to an index in memory. */
export function indexed(store: IndexedBesideStore): RecordStore {
  return withIndex(store, ({ scan, changeFeed: feed }, approved) =>
    openSearchIndex({ scan, feed, approved, folder: null, name: 'test', onFolderProblem: rethrow, onFailure: rethrow }),
  );
}
