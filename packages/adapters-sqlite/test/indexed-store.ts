import type { ApprovedRepositories, ChangeFeed, ReadContext, RecordScan, RecordStore } from '@vitrine/core';
import { openIndexFile } from '../src/search-index/index-file.js';
import { SearchIndexFile } from '../src/search-index/search-index-file.js';

const context = { signal: new AbortController().signal };

function rethrow(error: unknown): never {
  throw error;
}

/** An index in line with a store and a list. */
export async function aligned(file: SearchIndexFile, approved: ApprovedRepositories, within: ReadContext = context): Promise<void> {
  for (let isBusy = true; isBusy;) isBusy = await file.next(approved, 0, within);
}

/** An index in memory, or in a folder. */
export function indexOver(scan: RecordScan, feed: ChangeFeed, folder: string | null = null): SearchIndexFile {
  return new SearchIndexFile(openIndexFile(folder, 'test', rethrow), { scan, feed });
}

/**
 * A store whose searches go to an index beside it, which catches up before each of them. Until the first `indexFor`, it holds what the search may find.
 */
export function withIndex<Store extends RecordStore & { readonly scan: RecordScan }>(store: Store): RecordStore {
  const file = indexOver(store.scan, store.changeFeed);
  let list: ApprovedRepositories | null = null;
  const count = (): number => file.database.number('select count(*) from search_entry');
  return {
    ...store,
    readers: {
      ...store.readers,
      search: {
        search: async (approved, query, within) => {
          await aligned(file, list ?? approved);
          return file.search(approved, query, within);
        },
      },
    },
    writer: {
      put: (...args) => store.writer.put(...args),
      remove: (...args) => store.writer.remove(...args),
      withdraw: (...args) => store.writer.withdraw(...args),
      moveCommits: (...args) => store.writer.moveCommits(...args),
      indexFor: async (approved, within) => {
        await store.writer.indexFor(approved, within);
        await aligned(file, list ?? approved);
        const before = count();
        list = approved;
        await aligned(file, approved);
        return { added: Math.max(0, count() - before), removed: Math.max(0, before - count()) };
      },
    },
    close: async () => {
      await store.close();
      file.close();
    },
  };
}
