import type { SearchPosition, SearchQuery } from '@vitrine/core';
import { comparePlaces, isBefore, isDatedAhead, positionId, type Tier, type TieredEntry } from './entry-place.js';
import { MatchedStream, MatchedStreams, type MatchedRow } from './matched-streams.js';
import { queryTerms } from './query-terms.js';
import { MAX_ROWS } from './posting.js';
import type { RowMatcher } from './row-matcher.js';
import { BLOCK_ROWS, rowIn, type RowBlock, type TermBlock } from './segment-documents.js';
import type { SegmentReader } from './segment-reader.js';
import { SegmentTasks, type SegmentTask } from './segment-tasks.js';
import type { SegmentView } from './segment-view.js';

interface ReadEntry extends TieredEntry {
  readonly position: SearchPosition;
}

/** Walks through the possible hits in order. Segments are searched only as far as the page needs. */
export class SegmentWalk {
  readonly #reader: SegmentReader;
  readonly #question: SearchQuery;
  readonly #matcher: RowMatcher;
  readonly #tasks: SegmentTasks;
  readonly #blocks = new Map<string, TermBlock>();
  readonly #streams = new MatchedStreams();
  /** Entries that were read, but may come after others that were not read yet. */
  #read: ReadEntry[] = [];

  private constructor(reader: SegmentReader, question: SearchQuery, matcher: RowMatcher, tasks: SegmentTasks) {
    [this.#reader, this.#question, this.#matcher, this.#tasks] = [reader, question, matcher, tasks];
  }

  static async open(reader: SegmentReader, question: SearchQuery, matcher: RowMatcher): Promise<SegmentWalk> {
    const words = queryTerms(question.words);
    const tasksOf = (views: readonly SegmentView[]) =>
      new SegmentTasks(views, words, question, (view, tier) => reader.matches.get(matchKey(view, tier, question)) ?? null);
    const known = reader.known(question.types);
    const guess = tasksOf(known);
    const views = await reader.open(question.types, known, new Set(guess.first.flatMap(({ firstBlockIds }) => firstBlockIds)));
    return new SegmentWalk(reader, question, matcher, views === known ? guess : tasksOf(views));
  }

  /** Returns at least this many entries. Returns fewer, and at the end none, if there are no more. */
  async next(count: number): Promise<readonly TieredEntry[]> {
    for (;;) {
      const unseen = this.#tasks.start;
      const bound = earlier(unseen, this.#streams.start);
      const ready = this.#read.filter(({ position }) => isBefore(position, bound));
      if (ready.length >= count || bound === null) return this.#given(ready);
      const lacking = count - ready.length;
      const rows = this.#streams.take(lacking, unseen);
      if (unseen === null || rows.length >= lacking) await this.#readRows(rows);
      else {
        this.#streams.giveBack(rows);
        await this.#lookFurther(lacking - rows.length);
      }
    }
  }

  #given(ready: readonly ReadEntry[]): readonly TieredEntry[] {
    const given = new Set(ready);
    this.#read = this.#read.filter((entry) => !given.has(entry));
    const sorted = [...ready].sort((a, b) => comparePlaces(a.position, b.position));
    // An entry that was written again is in two segments until they are merged.
    return sorted.filter((entry, index) => !isSameEntry(entry, sorted[index - 1]));
  }

  async #readRows(rows: readonly MatchedRow[]): Promise<void> {
    const blocks = await this.#reader.rowBlocks([...new Set(rows.map(({ stream, row }) => stream.view.rowBlockId(row)))]);
    this.#read.push(...rows.flatMap((matched) => this.#entryOf(matched, blocks)));
  }

  #entryOf({ stream: { view, tier }, row }: MatchedRow, blocks: ReadonlyMap<string, RowBlock>): ReadEntry[] {
    const block = blocks.get(view.rowBlockId(row));
    const found = block === undefined ? null : rowIn(block, row % BLOCK_ROWS);
    if (found === null) return [];
    const { time, recordKey, repositoryRef } = found;
    const entry = { type: view.type, time, id: positionId(view.type, recordKey), recordKey, repositoryRef };
    const position = { tier, time, type: view.type, id: entry.id };
    const { after, to } = this.#question;
    if (isDatedAhead(time, to) || (after !== null && comparePlaces(position, after) <= 0)) return [];
    return [{ tier, entry, position }];
  }

  /** Searches the next segments. @param lacking the number of missing hits */
  async #lookFurther(lacking: number): Promise<void> {
    const tasks = this.#tasks.take(lacking);
    await this.#readBlocks(tasks.flatMap(({ firstBlockIds }) => firstBlockIds));
    const led = tasks.filter(({ plan }) => plan.isLed);
    const untested = new Map(led.map((task) => [task, this.#matcher.match(task.leadPostings(this.#blocks))]));
    const count = [...untested.values()].reduce((sum, { length }) => sum + length, 0);
    // For rare words, the rows need not be tested for the other words, because each hit is checked against its record anyway. But one page of such rows is enough.
    const isTested = count > this.#question.limit;
    if (isTested) await this.#readBlocks(led.flatMap(({ blockIds }) => blockIds));
    const rowsOf = (task: SegmentTask) => (isTested ? null : untested.get(task)) ?? this.#rowsOf(task);
    this.#streams.add(tasks.map((task) => this.#streamOf(task, rowsOf(task))));
  }

  async #readBlocks(ids: readonly string[]): Promise<void> {
    const read = await this.#reader.termBlocks([...new Set(ids)].filter((id) => !this.#blocks.has(id)));
    for (const [id, block] of read) this.#blocks.set(id, block);
  }

  #streamOf(task: SegmentTask, rows: Uint16Array): MatchedStream {
    const { view, tier } = task;
    const { after, to } = this.#question;
    const behind = after?.tier === tier ? view.firstRowBehind(after) : 0;
    const dated = isDatedAhead(view.newest, to) ? view.firstRowBehind({ time: to, type: view.type, id: '' }) : 0;
    const first = rows.findIndex((row) => row >= Math.max(behind, dated));
    const index = first === -1 ? rows.length : first;
    this.#tasks.found(rows.length - index, task);
    return new MatchedStream(view, tier, rows, index);
  }

  #rowsOf(task: SegmentTask): Uint16Array {
    if (task.matched !== null) return task.matched;
    const rows = (task.matched = this.#matchedRows(task));
    // If a block is missing or invalid, the result is not cached, so that the next search reports it again.
    if (task.blockIds.every((id) => this.#blocks.has(id))) this.#reader.matches.set(matchKey(task.view, task.tier, this.#question), rows);
    return rows;
  }

  /** The rows that contain every word according to the blocks that were read. For tier 1, rows whose title fields contain every word are left out. */
  #matchedRows(task: SegmentTask): Uint16Array {
    const held = this.#matcher.match(task.postings(this.#blocks));
    return task.titles === null || held.length === 0 ? held : without(this.#rowsOf(task.titles), held);
  }
}

function matchKey({ id }: SegmentView, tier: Tier, { words }: SearchQuery): string {
  return `${id} ${String(tier)} ${JSON.stringify(words)}`;
}

/** Both lists are sorted. */
function without(left: Uint16Array, rows: Uint16Array): Uint16Array {
  let index = 0;
  return rows.filter((row) => {
    while ((left[index] ?? MAX_ROWS) < row) index += 1;
    return left[index] !== row;
  });
}

function isSameEntry({ position, entry }: ReadEntry, other: ReadEntry | undefined): boolean {
  return other !== undefined && comparePlaces(position, other.position) === 0 && entry.recordKey === other.entry.recordKey;
}

function earlier(a: SearchPosition | null, b: SearchPosition | null): SearchPosition | null {
  if (a === null || b === null) return a ?? b;
  return comparePlaces(a, b) <= 0 ? a : b;
}
