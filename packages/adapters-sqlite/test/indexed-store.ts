import type { ApprovedRepositories, ChangeFeed, ReadContext, RecordScan } from '@vitrine/core';
import type { withIndex } from '@vitrine/core/testing';
import { openSearchIndex } from '../src/index.js';
import { openIndexFile } from '../src/search-index/index-file.js';
import { SearchIndexFile } from '../src/search-index/open-search-index.js';

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

/** An index in memory beside a store. */
export const indexBeside: Parameters<typeof withIndex>[1] = ({ scan, changeFeed: feed }, approved) =>
  openSearchIndex({ scan, feed, approved, folder: null, name: 'test', onFolderProblem: rethrow, onFailure: rethrow });
