import type { SearchPosition, SearchQuery, SearchType } from '@vitrine/core';
import type { SearchedSegments } from './block-store.js';
import { BLOCK_ENTRIES, entryIn, type EntryBlock, type TermBlock } from './blocks.js';
import { MatchedStream, MatchedStreams, type MatchedEntry } from './matched-streams.js';
import { comparePositions, isBefore, isDatedAhead, positionId, type Tier } from './position.js';
import type { PostingIntersection } from './posting-intersection.js';
import { MAX_ENTRIES } from './posting.js';
import { queryTerms } from './query-terms.js';
import type { SegmentTask } from './segment-task.js';
import type { SegmentView } from './segment-view.js';
import type { SegmentEntry } from './segment.js';
import { TaskQueue } from './task-queue.js';

/** An entry that matches according to the segments, at its position among the hits. */
export interface FoundEntry {
  readonly type: SearchType;
  readonly entry: SegmentEntry;
  readonly position: SearchPosition;
}

/** Walks through the possible hits of a query in order. Segments are searched only as far as the page needs. */
export class SegmentWalk {
  readonly #segments: SearchedSegments;
  readonly #query: SearchQuery;
  readonly #intersection: PostingIntersection;
  readonly #tasks: TaskQueue;
  readonly #blocks = new Map<string, TermBlock>();
  readonly #streams = new MatchedStreams();
  /** Entries that were read, but may come after others that were not read yet. */
  #read: FoundEntry[] = [];

  private constructor(segments: SearchedSegments, query: SearchQuery, intersection: PostingIntersection, tasks: TaskQueue) {
    [this.#segments, this.#query, this.#intersection, this.#tasks] = [segments, query, intersection, tasks];
  }

  static async open(segments: SearchedSegments, query: SearchQuery, intersection: PostingIntersection): Promise<SegmentWalk> {
    const words = queryTerms(query.words);
    const queueOf = (views: readonly SegmentView[]) =>
      new TaskQueue(views, words, query, (view, tier) => segments.matches.get(matchKey(view, tier, query)) ?? null);
    const known = segments.known(query.types);
    const guess = queueOf(known);
    const views = await segments.open(query.types, known, new Set(guess.first.flatMap(({ firstBlockIds }) => firstBlockIds)));
    return new SegmentWalk(segments, query, intersection, views === known ? guess : queueOf(views));
  }

  /** Returns at least this many entries. Returns fewer, and at the end none, if there are no more. */
  async next(count: number): Promise<readonly FoundEntry[]> {
    for (;;) {
      const unsearched = this.#tasks.start;
      const bound = earlier(unsearched, this.#streams.start);
      const ready = this.#read.filter(({ position }) => isBefore(position, bound));
      if (ready.length >= count || bound === null) return this.#given(ready);
      const lacking = count - ready.length;
      const matched = this.#streams.take(lacking, unsearched);
      if (unsearched === null || matched.length >= lacking) await this.#readEntries(matched);
      else {
        this.#streams.giveBack(matched);
        await this.#searchNext(lacking - matched.length);
      }
    }
  }

  #given(ready: readonly FoundEntry[]): readonly FoundEntry[] {
    const given = new Set(ready);
    this.#read = this.#read.filter((entry) => !given.has(entry));
    const sorted = [...ready].sort((a, b) => comparePositions(a.position, b.position));
    // An entry that was written again is in two segments until they are merged.
    return sorted.filter((entry, index) => !isSameEntry(entry, sorted[index - 1]));
  }

  async #readEntries(matched: readonly MatchedEntry[]): Promise<void> {
    const blocks = await this.#segments.entryBlocks([...new Set(matched.map(({ stream, docId }) => stream.view.entryBlockId(docId)))]);
    this.#read.push(...matched.flatMap((one) => this.#entryOf(one, blocks)));
  }

  #entryOf({ stream: { view, tier }, docId }: MatchedEntry, blocks: ReadonlyMap<string, EntryBlock>): FoundEntry[] {
    const block = blocks.get(view.entryBlockId(docId));
    const entry = block === undefined ? null : entryIn(block, docId % BLOCK_ENTRIES);
    if (entry === null) return [];
    const position = { tier, time: entry.time, type: view.type, id: positionId(view.type, entry.recordKey) };
    const { after, to } = this.#query;
    if (isDatedAhead(entry.time, to) || (after !== null && comparePositions(position, after) <= 0)) return [];
    return [{ type: view.type, entry, position }];
  }

  /** Searches the next segments. @param lacking the number of missing hits */
  async #searchNext(lacking: number): Promise<void> {
    const tasks = this.#tasks.take(lacking);
    await this.#readBlocks(tasks.flatMap(({ firstBlockIds }) => firstBlockIds));
    const led = tasks.filter(({ plan }) => plan.isLed);
    const untested = new Map(led.map((task) => [task, this.#intersection.match(task.leadPostings(this.#blocks))]));
    const count = [...untested.values()].reduce((sum, { length }) => sum + length, 0);
    // For rare words, the entries need not be tested for the other words, because each hit is checked against its record anyway. But one page of such entries is enough.
    const isTested = count > this.#query.limit;
    if (isTested) await this.#readBlocks(led.flatMap(({ blockIds }) => blockIds));
    const matchedBy = (task: SegmentTask) => (isTested ? null : untested.get(task)) ?? this.#matchedBy(task);
    this.#streams.add(tasks.map((task) => this.#streamOf(task, matchedBy(task))));
  }

  async #readBlocks(ids: readonly string[]): Promise<void> {
    const read = await this.#segments.termBlocks([...new Set(ids)].filter((id) => !this.#blocks.has(id)));
    for (const [id, block] of read) this.#blocks.set(id, block);
  }

  #streamOf(task: SegmentTask, docIds: Uint16Array): MatchedStream {
    const { view, tier } = task;
    const { after, to } = this.#query;
    const afterPage = after?.tier === tier ? view.firstDocIdAfter(after) : 0;
    const dated = isDatedAhead(view.newest, to) ? view.firstDocIdAfter({ time: to, type: view.type, id: '' }) : 0;
    const first = docIds.findIndex((docId) => docId >= Math.max(afterPage, dated));
    const index = first === -1 ? docIds.length : first;
    this.#tasks.found(docIds.length - index, task);
    return new MatchedStream(view, tier, docIds, index);
  }

  /** The entries that contain every word according to the blocks that were read. For tier 1, entries whose title fields contain every word are left out. */
  #matchedBy(task: SegmentTask): Uint16Array {
    if (task.matched !== null) return task.matched;
    const held = this.#intersection.match(task.postings(this.#blocks));
    const docIds = (task.matched = task.titles === null || held.length === 0 ? held : without(this.#matchedBy(task.titles), held));
    // If a block is missing or invalid, the result is not cached, so that the next search reports it again.
    if (task.blockIds.every((id) => this.#blocks.has(id))) this.#segments.matches.set(matchKey(task.view, task.tier, this.#query), docIds);
    return docIds;
  }
}

function matchKey({ id }: SegmentView, tier: Tier, { words }: SearchQuery): string {
  return `${id} ${String(tier)} ${JSON.stringify(words)}`;
}

/** Both lists are sorted. */
function without(left: Uint16Array, docIds: Uint16Array): Uint16Array {
  let index = 0;
  return docIds.filter((docId) => {
    while ((left[index] ?? MAX_ENTRIES) < docId) index += 1;
    return left[index] !== docId;
  });
}

function isSameEntry({ position, entry }: FoundEntry, other: FoundEntry | undefined): boolean {
  return other !== undefined && comparePositions(position, other.position) === 0 && entry.recordKey === other.entry.recordKey;
}

function earlier(a: SearchPosition | null, b: SearchPosition | null): SearchPosition | null {
  if (a === null || b === null) return a ?? b;
  return comparePositions(a, b) <= 0 ? a : b;
}
