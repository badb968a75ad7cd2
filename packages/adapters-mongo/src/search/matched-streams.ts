import type { SearchPosition } from '@vitrine/core';
import { comparePlaces, isBefore, type Tier } from './entry-place.js';
import type { SegmentView } from './segment-view.js';

/** The rows of one segment that match a tier according to its terms, in order. */
export class MatchedStream {
  readonly view: SegmentView;
  readonly tier: Tier;
  readonly #rows: Uint16Array;
  #index: number;
  #start: SearchPosition | null;

  /** @param index the index of the first row to return */
  constructor(view: SegmentView, tier: Tier, rows: Uint16Array, index: number) {
    [this.view, this.tier, this.#rows, this.#index] = [view, tier, rows, index];
    this.#start = this.#startAt(index);
  }

  /** The next row; `null` after the last. */
  get row(): number | null {
    return this.#rows[this.#index] ?? null;
  }

  /** A lower bound: the next row has this position or a later one. */
  get start(): SearchPosition | null {
    return this.#start;
  }

  /** @param by one row forward or back */
  move(by: 1 | -1): void {
    this.#index += by;
    this.#start = this.#startAt(this.#index);
  }

  #startAt(index: number): SearchPosition | null {
    const row = this.#rows[index];
    return row === undefined ? null : this.view.startOf(this.tier, row);
  }
}

/** A row that must be read. */
export interface MatchedRow {
  readonly stream: MatchedStream;
  readonly row: number;
}

/** Merges the rows of several segments. Only the block of a row is known, not its exact position. So a few more rows are taken than are needed. */
export class MatchedStreams {
  /** Sorted by the position of their next row. */
  #streams: MatchedStream[] = [];

  add(streams: readonly MatchedStream[]): void {
    this.#streams = [...this.#streams, ...streams.filter(({ row }) => row !== null)].sort(byStart);
  }

  /** A lower bound: no remaining row has an earlier position. `null` if no row remains. */
  get start(): SearchPosition | null {
    return this.#streams[0]?.start ?? null;
  }

  /**
   * Takes the next rows: at least `count`, and as many more as are needed so that all remaining rows come after the first `count`.
   *
   * @param before stop here, because rows that were not added yet may come before it
   */
  take(count: number, before: SearchPosition | null): readonly MatchedRow[] {
    const taken: MatchedRow[] = [];
    let end: SearchPosition | null = null;
    for (let stream = this.#streams[0]; stream !== undefined; stream = this.#streams[0]) {
      const { row, start } = stream;
      if (row === null || start === null || !isBefore(start, before)) break;
      if (taken.length >= count && end !== null && !isBefore(start, end)) break;
      stream.move(1);
      this.#putInPlace(stream);
      taken.push({ stream, row });
      end = later(end, stream.view.endOf(stream.tier, row));
    }
    return taken;
  }

  /** Puts back rows that were taken last. */
  giveBack(rows: readonly MatchedRow[]): void {
    for (const { stream } of rows) stream.move(-1);
    this.#streams.sort(byStart);
  }

  /** @param first the stream that was first before it moved */
  #putInPlace(first: MatchedStream): void {
    let index = 0;
    for (let next = this.#streams[1]; next !== undefined && byStart(next, first) < 0; next = this.#streams[index + 1]) this.#streams[index++] = next;
    this.#streams[index] = first;
  }
}

/** Streams without a remaining row come last. */
function byStart({ start: a }: MatchedStream, { start: b }: MatchedStream): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return comparePlaces(a, b);
}

function later(a: SearchPosition | null, b: SearchPosition): SearchPosition {
  return a === null || comparePlaces(a, b) < 0 ? b : a;
}
