import { readAhead, type BlockStream } from './block-stream.js';
import { Heap } from './heap.js';
import type { SegmentRef } from './segment.js';

/** How many items are visited in one step: a few milliseconds of work. */
const ITEMS_OF_STEP = 2_000;

/** A segment that is merged. */
export interface MergedSegment {
  readonly ref: SegmentRef;
  /** The number of younger runs. If several segments have the same item, the youngest comes first. */
  readonly age: number;
  /** For each document id, the new place of the entry. */
  readonly places: Uint32Array;
}

/** One of the sorted sequences that are merged: the entries or the terms of a segment. */
export interface Source<Block, Item> {
  readonly segment: MergedSegment;
  readonly stream: BlockStream<Block, Item>;
}

export interface StreamMerge<Block, Item> {
  readonly sources: readonly Source<Block, Item>[];
  readonly order: (a: Item, b: Item) => number;
  readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Block>>;
  /** How many blocks of all sources together are in memory. */
  readonly blocksAhead: number;
  /** Called for each item of each source, in order. The stream of the source stands at the item. @param isFirst whether no source before had the same item */
  readonly visit: (item: Item, source: Source<Block, Item>, isFirst: boolean) => void;
  /** Called after the last source that has the item. */
  readonly visited: (item: Item) => void;
  /** Called after each step. */
  readonly pause: () => Promise<void>;
}

/** Goes through the items of several sorted sequences in their common order. */
export async function mergeStreams<Block, Item>(merge: StreamMerge<Block, Item>): Promise<void> {
  const { sources, order, read, blocksAhead, pause } = merge;
  const streams = sources.map(({ stream }) => stream);
  const compare = (a: Source<Block, Item>, b: Source<Block, Item>) => order(itemOf(a), itemOf(b)) || a.segment.age - b.segment.age;
  for (;;) {
    await readAhead(streams, blocksAhead, read);
    const heap = new Heap(
      sources.filter(({ stream }) => stream.item !== null),
      compare,
    );
    let first = heap.top;
    if (first === undefined) return;
    let count = 0;
    for (let mustRead = false; first !== undefined && !mustRead; first = heap.top) {
      mustRead = visitFirst(heap, itemOf(first), merge);
      if (++count % ITEMS_OF_STEP === 0) await pause();
    }
    await pause();
  }
}

/** Visits the first item in all sources that have it. Returns whether blocks must be read before the next item is known. */
function visitFirst<Block, Item>(
  heap: Heap<Source<Block, Item>>,
  item: Item,
  { order, visit, visited }: Pick<StreamMerge<Block, Item>, 'order' | 'visit' | 'visited'>,
): boolean {
  let mustRead = false;
  let isFirst = true;
  for (let source = heap.top; source !== undefined && (isFirst || order(itemOf(source), item) === 0); source = heap.top) {
    visit(item, source, isFirst);
    isFirst = false;
    source.stream.advance();
    mustRead ||= source.stream.mustRead;
    if (source.stream.item === null) heap.removeTop();
    else heap.topChanged();
  }
  visited(item);
  return mustRead;
}

function itemOf<Block, Item>({ stream: { item } }: Source<Block, Item>): Item {
  if (item === null) throw new RangeError('the stream is at its end');
  return item;
}
