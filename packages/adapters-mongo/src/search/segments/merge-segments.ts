import type { SearchType } from '@vitrine/core';
import type { BlockReader } from './block-store.js';
import { BlockStream } from './block-stream.js';
import { BLOCK_ENTRIES, entriesIn, entryBlockId, termBlockId, type Block, type Directory, type TermBlock } from './blocks.js';
import { DamagedSegmentError } from './damaged-segment-error.js';
import { mergeStreams, type MergedSegment } from './merge-streams.js';
import { docIdOf, MAX_ENTRIES, postingOf, tagIn } from './posting.js';
import { SegmentBuilder } from './segment-builder.js';
import { entryOrder, type SegmentEntry, type SegmentRef } from './segment.js';

/** The number of blocks that a merge has in memory, of all segments together (but at least one of each). */
const BLOCKS_AHEAD = 256;
/** New blocks are written when this number of them is in memory. */
const BLOCKS_TO_WRITE = 48;
/** The place of an entry is the index of its new segment × {@link MAX_ENTRIES} + its new document id. This is the place of an entry that is not in the new segments. */
const REMOVED = 0xffff_ffff;

/** Decides whether an entry is kept. */
export type KeepEntry = (entry: SegmentEntry) => boolean;

export interface MergeOptions {
  readonly type: SearchType;
  /** The segments to merge, as runs, the oldest first. */
  readonly runs: readonly (readonly SegmentRef[])[];
  /** Rejects with a {@link DamagedSegmentError} if a block is missing or invalid. */
  readonly reader: BlockReader;
  /** Decides for the remaining entry of each position whether it is kept. */
  readonly keeps: KeepEntry;
  /** Creates the ids of the new run and of its segments. */
  readonly newId: () => string;
  /** Stores new blocks. If it rejects, the merge rejects too. */
  readonly write: (blocks: readonly Block[]) => Promise<void>;
  /** Called after a few milliseconds of work, so that something else can run. If it rejects, the merge rejects too. */
  readonly pause: () => Promise<void>;
}

/**
 * Merges several runs into one. If several entries have the same position, only the entry of the youngest run is kept. Resolves with the new segments. Rejects with a
 * {@link DamagedSegmentError} if the blocks contradict each other.
 *
 * The blocks are streamed, first all entries and then all terms, so each block is read once. In memory are some 10 MB of blocks, and at most 20 bytes for each entry:
 * its new place, and the posting list of the most frequent term while it is written.
 */
export async function mergeSegments(options: MergeOptions): Promise<readonly SegmentRef[]> {
  return new Merge(options).run();
}

class Merge {
  readonly #options: MergeOptions;
  readonly #run: string;
  readonly #segments: readonly MergedSegment[];
  readonly #builders: SegmentBuilder[] = [];
  #blocks: Block[] = [];

  constructor(options: MergeOptions) {
    this.#options = options;
    this.#run = options.newId();
    this.#segments = options.runs
      .toReversed()
      .flatMap((run, age) => run.map((ref) => ({ ref, age, places: new Uint32Array(ref.rows).fill(REMOVED) })));
  }

  async run(): Promise<readonly SegmentRef[]> {
    await this.#mergeEntries();
    await this.#mergeTerms(await this.#options.reader.directories(this.#segments.map(({ ref: { id } }) => id)));
    const refs = this.#builders.map((builder) => builder.finish());
    await this.#write();
    return refs;
  }

  async #mergeEntries(): Promise<void> {
    const { type, reader, keeps } = this.#options;
    const sources = this.#segments.map((segment) => ({ segment, stream: new BlockStream(entryBlockIds(segment.ref), entriesOf) }));
    await mergeStreams({
      sources,
      order: entryOrder(type),
      blocksAhead: BLOCKS_AHEAD,
      read: async (ids) => new Map([...(await reader.entryBlocks(ids))].map(([id, block]) => [id, entriesIn(block) ?? damaged(id)])),
      visit: (entry, { segment, stream }, isFirst) => {
        if (isFirst && keeps(entry)) segment.places[stream.position] = this.#add(entry);
      },
      visited: () => undefined,
      pause: () => this.#pause(),
    });
    for (const { segment, stream } of sources) if (stream.position !== segment.ref.rows) damaged(segment.ref.id);
  }

  /** Returns the place of the entry. */
  #add(entry: SegmentEntry): number {
    let builder = this.#builders.at(-1);
    if (builder === undefined || builder.isFull) {
      builder = new SegmentBuilder(this.#options.newId(), this.#run, (block) => this.#blocks.push(block));
      this.#builders.push(builder);
    }
    return (this.#builders.length - 1) * MAX_ENTRIES + builder.addEntry(entry);
  }

  async #mergeTerms(directories: ReadonlyMap<string, Directory>): Promise<void> {
    const sources = this.#segments.map((segment) => {
      const { id } = segment.ref;
      const { terms, sizes } = directories.get(id) ?? damaged(id);
      const stream = new BlockStream(
        terms.map((_term, index) => termBlockId(id, index)),
        termsOf,
      );
      return { segment, stream, count: sizes.reduce((sum, size, index) => (index % 2 === 0 ? sum + size : sum), 0) };
    });
    const posted = new Set<SegmentBuilder>();
    await mergeStreams({
      sources,
      order: compareUnits,
      blocksAhead: BLOCKS_AHEAD,
      read: (ids) => this.#options.reader.termBlocks(ids),
      visit: (_term, { segment, stream: { block, index } }) => {
        if (block !== null) this.#post(block, index, segment.places, posted);
      },
      visited: (term) => {
        for (const builder of posted) builder.closeTerm(term);
        posted.clear();
      },
      pause: () => this.#pause(),
    });
    for (const { segment, stream, count } of sources) if (stream.position !== count) damaged(segment.ref.id);
  }

  /** Posts a term for all entries that are kept. @param posted receives their new segments */
  #post({ ends, postings }: TermBlock, term: number, places: Uint32Array, posted: Set<SegmentBuilder>): void {
    const start = term === 0 ? 0 : (ends[term - 1] ?? 0);
    const end = ends[term] ?? 0;
    for (let at = start; at < end; at++) {
      const posting = postings[at] ?? 0;
      const builder = this.#postAt(places[docIdOf(posting)] ?? REMOVED, tagIn(posting));
      if (builder !== null) posted.add(builder);
    }
  }

  #postAt(place: number, tag: number): SegmentBuilder | null {
    if (place === REMOVED) return null;
    const builder = this.#builders[Math.floor(place / MAX_ENTRIES)];
    builder?.post(postingOf(place % MAX_ENTRIES, tag));
    return builder ?? null;
  }

  async #pause(): Promise<void> {
    if (this.#blocks.length >= BLOCKS_TO_WRITE) await this.#write();
    await this.#options.pause();
  }

  async #write(): Promise<void> {
    const blocks = this.#blocks;
    this.#blocks = [];
    if (blocks.length > 0) await this.#options.write(blocks);
  }
}

function entryBlockIds({ id, rows }: SegmentRef): readonly string[] {
  return Array.from({ length: Math.ceil(rows / BLOCK_ENTRIES) }, (_, index) => entryBlockId(id, index));
}

function entriesOf(entries: readonly SegmentEntry[]): readonly SegmentEntry[] {
  return entries;
}

function termsOf({ terms }: TermBlock): readonly string[] {
  return terms;
}

/** The order of the term dictionary: by UTF-16 code units, as `sort` has it. */
function compareUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** @param id the id of a segment, or of one of its blocks, which begins with it */
function damaged(id: string): never {
  throw new DamagedSegmentError(id.split(' ', 1)[0] ?? id);
}
