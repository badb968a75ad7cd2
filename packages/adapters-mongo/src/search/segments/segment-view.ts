import { type Instant, type SearchPosition, type SearchType } from '@vitrine/core';
import { BLOCK_ENTRIES, entryBlockId, postingsOf, termBlockId, type Directory, type TermBlock } from './blocks.js';
import { comparePositions, positionId, type Tier } from './position.js';
import { blockRangeOf, rangeOf, type QueryTerm } from './query-terms.js';
import type { SegmentRef } from './segment.js';

/** Sorts after every id. */
const LAST_ID = '\u{10ffff}';

/** The blocks of a segment that may contain some terms. */
export interface TermRange {
  readonly blockIds: readonly string[];
  /** The number of postings of all terms in these blocks. */
  readonly postingCount: number;
  /** An estimate of how many of these postings belong to the matching terms. */
  readonly likelyCount: number;
  /** The postings of the matching terms, block by block. */
  postings(blocks: ReadonlyMap<string, TermBlock>): readonly Uint32Array[];
}

/** A segment as its directory describes it. */
export class SegmentView {
  readonly id: string;
  readonly type: SearchType;
  readonly newest: Instant;
  readonly oldest: Instant;
  readonly #directory: Directory;
  readonly #termBlockIds: string[] = [];

  constructor(type: SearchType, { id, newest, oldest }: SegmentRef, directory: Directory) {
    [this.type, this.newest, this.oldest] = [type, newest, oldest];
    [this.id, this.#directory] = [id, directory];
  }

  /** The blocks that may contain matching terms. */
  rangeOf(term: QueryTerm): TermRange {
    const { terms, sizes } = this.#directory;
    const [start, end] = blockRangeOf(term, terms);
    const blockIds: string[] = [];
    let postingCount = 0;
    for (let block = start; block < end; block++) {
      blockIds.push(this.#termBlockId(block));
      postingCount += sizes[2 * block + 1] ?? 0;
    }
    return {
      blockIds,
      postingCount,
      // Which terms of a block match is known only after reading it. A prefix often matches most of them.
      likelyCount: blockIds.length === 1 && term.end === null ? postingCount / (sizes[2 * start] ?? 1) : postingCount,
      postings: (read) => blockIds.flatMap((id) => postingsIn(read.get(id), term)),
    };
  }

  /** Each id is created once, because the hash of an existing string is cached. */
  #termBlockId(block: number): string {
    return (this.#termBlockIds[block] ??= termBlockId(this.id, block));
  }

  entryBlockId(docId: number): string {
    return entryBlockId(this.id, Math.floor(docId / BLOCK_ENTRIES));
  }

  /** The first document id that may come after a position. */
  firstDocIdAfter(position: Omit<SearchPosition, 'tier'>): number {
    let [low, high] = [0, this.#directory.times.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePositions(this.#blockStart(0, middle), { ...position, tier: 0 }) <= 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1) * BLOCK_ENTRIES;
  }

  /** A lower bound of the position of an entry. */
  startOf(tier: Tier, docId: number): SearchPosition {
    return this.#blockStart(tier, Math.floor(docId / BLOCK_ENTRIES));
  }

  /** An upper bound of the position of an entry. */
  endOf(tier: Tier, docId: number): SearchPosition {
    const next = Math.floor(docId / BLOCK_ENTRIES) + 1;
    if (next < this.#directory.times.length) return this.#blockStart(tier, next);
    return { tier, time: this.oldest, type: this.type, id: LAST_ID };
  }

  #blockStart(tier: Tier, block: number): SearchPosition {
    const { times, keys } = this.#directory;
    const [time = this.newest, key = ''] = [times[block], keys[block]];
    return { tier, time, type: this.type, id: key === '' ? '' : positionId(this.type, key) };
  }
}

function postingsIn(block: TermBlock | undefined, term: QueryTerm): readonly Uint32Array[] {
  if (block === undefined) return [];
  const range = rangeOf(term, block.terms);
  return range[0] === range[1] ? [] : [postingsOf(block, range)];
}
