import type { SearchType } from '@vitrine/core';
import { MAX_ROWS, postingOf, rowOf, tagIn } from './posting.js';
import type { SegmentRef, TermBlock } from './segment-documents.js';
import { rowOrder, type Postings, type Segment, type SegmentRow } from './segment.js';

/** A decoded segment. */
export interface LoadedSegment {
  readonly rows: readonly SegmentRow[];
  readonly blocks: readonly TermBlock[];
}

type RowOrder = (a: SegmentRow, b: SegmentRow) => number;

export type LoadSegment = (ref: SegmentRef) => Promise<LoadedSegment>;

/** Decides whether a row is kept. */
export type KeepRow = (row: SegmentRow) => boolean;

/**
 * Merges several runs into one. If several rows have the same position, only the row of the youngest run is kept. To save memory, only one segment of each run, and
 * the resulting segments, are loaded at a time.
 *
 * @param runs the oldest first
 * @param keeps decides for the remaining row of each position whether it is kept
 */
export async function* mergedSegments(
  type: SearchType,
  runs: readonly (readonly SegmentRef[])[],
  load: LoadSegment,
  keeps: KeepRow,
): AsyncIterable<Segment> {
  const order = rowOrder(type);
  const cursors = runs.map((run) => new RunCursor(run, load)).reverse();
  for (;;) {
    const merge = new MergedRows();
    for (let isDone = false; !isDone;) {
      const ended = cursors.find(({ isAtEnd }) => isAtEnd);
      if (ended !== undefined) await ended.load();
      else isDone = merge.isFull || !takeFirst(cursors, order, merge, keeps);
    }
    if (merge.rows.length === 0) return;
    yield merge.segment();
  }
}

/** Moves past the first position. Returns whether there was one. */
function takeFirst(cursors: readonly RunCursor[], order: RowOrder, merge: MergedRows, keeps: KeepRow): boolean {
  const first = firstCursors(cursors, order);
  const [youngest] = first;
  const row = youngest?.row ?? null;
  if (youngest === undefined || row === null) return false;
  if (keeps(row)) merge.take(youngest.segment, youngest.index, row);
  for (const cursor of first) cursor.advance();
  return true;
}

/** The cursors at the first position, in order. */
function firstCursors(cursors: readonly RunCursor[], order: RowOrder): readonly RunCursor[] {
  let first: RunCursor[] = [];
  let firstRow: SegmentRow | null = null;
  for (const cursor of cursors) {
    const { row } = cursor;
    if (row === null) continue;
    const compared = firstRow === null ? -1 : order(row, firstRow);
    if (compared < 0) [first, firstRow] = [[cursor], row];
    else if (compared === 0) first.push(cursor);
  }
  return first;
}

/** Iterates over the rows of a run. */
class RunCursor {
  readonly #left: SegmentRef[];
  readonly #load: LoadSegment;
  #segment: LoadedSegment = { rows: [], blocks: [] };
  #index = 0;

  constructor(run: readonly SegmentRef[], load: LoadSegment) {
    this.#left = [...run];
    this.#load = load;
  }

  get segment(): LoadedSegment {
    return this.#segment;
  }

  get index(): number {
    return this.#index;
  }

  get row(): SegmentRow | null {
    return this.#segment.rows[this.#index] ?? null;
  }

  /** Whether the next segment must be loaded before the next row is available. */
  get isAtEnd(): boolean {
    return this.#index >= this.#segment.rows.length && this.#left.length > 0;
  }

  async load(): Promise<void> {
    const ref = this.#left.shift();
    if (ref === undefined) return;
    this.#segment = await this.#load(ref);
    this.#index = 0;
  }

  advance(): void {
    this.#index += 1;
  }
}

/** Collects the rows of several segments for one new segment. */
class MergedRows {
  readonly rows: SegmentRow[] = [];
  /** For each source segment: the new number of each of its rows, or -1 if the row was removed. */
  readonly #moved = new Map<LoadedSegment, Int32Array>();

  get isFull(): boolean {
    return this.rows.length === MAX_ROWS;
  }

  take(segment: LoadedSegment, index: number, row: SegmentRow): void {
    const moved = this.#moved.get(segment) ?? new Int32Array(segment.rows.length).fill(-1);
    this.#moved.set(segment, moved);
    moved[index] = this.rows.push(row) - 1;
  }

  segment(): Segment {
    const terms = new Map<string, number[]>();
    for (const [{ blocks }, moved] of this.#moved) for (const block of blocks) addMoved(block, moved, terms);
    return { rows: this.rows, terms: new Map([...terms].map(([term, postings]) => [term, inOrder(postings)])) };
  }
}

/** Adds the postings of a block's terms with the new numbers of their rows. Postings of removed rows are left out. */
function addMoved({ terms, ends, postings }: TermBlock, moved: Int32Array, into: Map<string, number[]>): void {
  let start = 0;
  for (const [index, term] of terms.entries()) {
    const end = ends[index] ?? start;
    const known = into.get(term) ?? [];
    for (let at = start; at < end; at++) pushMoved(postings[at] ?? 0, moved, known);
    if (known.length > 0) into.set(term, known);
    start = end;
  }
}

function pushMoved(posting: number, moved: Int32Array, into: number[]): void {
  const row = moved[rowOf(posting)] ?? -1;
  if (row !== -1) into.push(postingOf(row, tagIn(posting)));
}

/** Most terms are in only one row, or in the rows of only one segment. Their postings are already sorted. */
function inOrder(postings: readonly number[]): Postings {
  return postings.every((posting, index) => index === 0 || posting > (postings[index - 1] ?? 0)) ? postings : new Uint32Array(postings).sort();
}
