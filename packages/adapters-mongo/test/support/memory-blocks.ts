import type { SearchType } from '@vitrine/core';
import type { BlockReader, SearchedSegments } from '../../src/search/segments/block-store.js';
import type { Block, Directory, EntryBlock, TermBlock } from '../../src/search/segments/blocks.js';
import { DamagedSegmentError } from '../../src/search/segments/damaged-segment-error.js';
import { runsIn, runsToMerge } from '../../src/search/segments/merge-policy.js';
import { mergeSegments, type KeepEntry } from '../../src/search/segments/merge-segments.js';
import { newSegment } from '../../src/search/segments/segment-builder.js';
import { SegmentView } from '../../src/search/segments/segment-view.js';
import type { NewEntry, SegmentRef } from '../../src/search/segments/segment.js';

/** The segments of one type in memory: what a database does, without one. */
export class MemoryBlocks implements BlockReader, SearchedSegments {
  readonly blocks = new Map<string, Block>();
  readonly matches = new Map<string, Uint16Array>();
  segments: readonly SegmentRef[] = [];
  readonly #type: SearchType;
  #nextId = 0;

  constructor(type: SearchType) {
    this.#type = type;
  }

  readonly newId = (): string => String((this.#nextId += 1)).padStart(24, '0');

  readonly write = (blocks: readonly Block[]): Promise<void> => {
    for (const block of blocks) this.blocks.set(block.id, block);
    return Promise.resolve();
  };

  async add(entries: readonly NewEntry[]): Promise<void> {
    const { ref, blocks } = newSegment(this.#type, this.newId(), entries);
    await this.write(blocks);
    this.segments = [...this.segments, ref];
  }

  /** Merges as the merge policy says, until there is nothing to merge. */
  async mergeAll(): Promise<void> {
    for (let count = runsToMerge(this.#runs); count > 0; count = runsToMerge(this.#runs)) await this.merge(count);
  }

  /** Merges this many of the youngest runs, and removes the old blocks. */
  async merge(count: number, keeps: KeepEntry = () => true): Promise<void> {
    const [older, merged] = [this.#runs.slice(0, -count).flat(), this.#runs.slice(-count)];
    const { newId, write } = this;
    const keepsEntry: KeepEntry = (entry) => keeps(entry) && (older.length > 0 || !entry.isTombstone);
    const fresh = await mergeSegments({
      type: this.#type,
      runs: merged,
      reader: this,
      keeps: keepsEntry,
      newId,
      write,
      pause: () => Promise.resolve(),
    });
    this.segments = [...older, ...fresh];
    const named = new Set(this.segments.map(({ id }) => id));
    for (const id of this.blocks.keys()) if (!named.has(id.slice(0, 24))) this.blocks.delete(id);
  }

  get #runs(): readonly (readonly SegmentRef[])[] {
    return runsIn(this.segments);
  }

  known(): readonly SegmentView[] {
    return [];
  }

  async open(): Promise<readonly SegmentView[]> {
    const directories = await this.directories(this.segments.map(({ id }) => id));
    return this.segments.flatMap((ref) => {
      const directory = directories.get(ref.id);
      return directory === undefined ? [] : [new SegmentView(this.#type, ref, directory)];
    });
  }

  directories(ids: readonly string[]): Promise<ReadonlyMap<string, Directory>> {
    return this.#read(ids, (block) => (block.kind === 'directory' ? block.value : null));
  }

  termBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, TermBlock>> {
    return this.#read(ids, (block) => (block.kind === 'terms' ? block.value : null));
  }

  entryBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, EntryBlock>> {
    return this.#read(ids, (block) => (block.kind === 'entries' ? block.value : null));
  }

  async #read<Value>(ids: readonly string[], valueOf: (block: Block) => Value | null): Promise<ReadonlyMap<string, Value>> {
    // A reader answers later, as a database does.
    await Promise.resolve();
    return new Map(
      ids.map((id) => {
        const block = this.blocks.get(id);
        const value = block === undefined ? null : valueOf(block);
        if (value === null) throw new DamagedSegmentError(id.slice(0, 24));
        return [id, value];
      }),
    );
  }
}
