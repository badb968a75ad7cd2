import type { SearchType } from '@vitrine/core';
import type { Directory, EntryBlock, TermBlock } from './blocks.js';
import type { SegmentView } from './segment-view.js';

/** Reads blocks by their ids. A block never changes after it was stored. Either all blocks that were asked for are returned, or the reader decides that some may be left out. */
export interface BlockReader {
  directories(ids: readonly string[]): Promise<ReadonlyMap<string, Directory>>;
  termBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, TermBlock>>;
  entryBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, EntryBlock>>;
}

/** What one search reads. */
export interface SearchedSegments extends Pick<BlockReader, 'termBlocks' | 'entryBlocks'> {
  /** A cache of the document ids of a segment that match a query, sorted. */
  readonly matches: MatchCache;
  /** The segments of some types when they were last read, as far as they are known. */
  known(types: readonly SearchType[]): readonly SegmentView[];
  /**
   * Reads the current segments of some types.
   *
   * @param known the cached segments; this same list is returned if it is still current
   * @param firstBlocks the term blocks that the search reads first if the cached list is current; they may be read in the same command
   */
  open(types: readonly SearchType[], known: readonly SegmentView[], firstBlocks: ReadonlySet<string>): Promise<readonly SegmentView[]>;
}

export interface MatchCache {
  get(key: string): Uint16Array | undefined;
  set(key: string, docIds: Uint16Array): unknown;
}
