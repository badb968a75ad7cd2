import type { SearchPosition } from '@vitrine/core';
import { comparePlaces, isBefore, type Tier } from './entry-place.js';
import type { SegmentView } from './segment-view.js';

/** Rows of one segment that are hits of a tier as far as its terms tell, in their order. */
export class MatchedStream {
  readonly view: SegmentView;
  readonly tier: Tier;
  readonly #rows: Uint16Array;
  #index: number;
  #start: SearchPosition | null;

  /** @param index of the first row that is wanted */
  constructor(view: SegmentView, tier: Tier, rows: Uint16Array, index: number) {
    [this.view, this.tier, this.#rows, this.#index] = [view, tier, rows, index];
    this.#start = this.#startAt(index);
  }

  /** The next row; `null` behind the last. */
  get row(): number | null {
    return this.#rows[this.#index] ?? null;
  }

  /** It stands here or behind. */
  get start(): SearchPosition | null {
    return this.#start;
  }

  /** @param by one row forth or back */
  move(by: 1 | -1): void {
    this.#index += by;
    this.#start = this.#startAt(this.#index);
  }

  #startAt(index: number): SearchPosition | null {
    const row = this.#rows[index];
    return row === undefined ? null : this.view.startOf(this.tier, row);
  }
}

/** A row that is to be read. */
export interface MatchedRow {
  readonly stream: MatchedStream;
  readonly row: number;
}

/** Merges the rows of several segments. Where a row stands is known of its block only, so some more are taken than needed. */
export class MatchedStreams {
  /** Those first whose next row stands first. */
  #streams: MatchedStream[] = [];

  add(streams: readonly MatchedStream[]): void {
    this.#streams = [...this.#streams, ...streams.filter(({ row }) => row !== null)].sort(byStart);
  }

  /** No row that is left stands before this; `null` when none is left. */
  get start(): SearchPosition | null {
    return this.#streams[0]?.start ?? null;
  }

  /**
   * Takes the next rows: so many or more that those after them stand behind them.
   *
   * @param before none at or behind this, because others that were not added yet may stand between them
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

  /** Gives rows back that were taken last. */
  giveBack(rows: readonly MatchedRow[]): void {
    for (const { stream } of rows) stream.move(-1);
    this.#streams.sort(byStart);
  }

  /** @param first the stream that was the first one before it was moved */
  #putInPlace(first: MatchedStream): void {
    let index = 0;
    for (let next = this.#streams[1]; next !== undefined && byStart(next, first) < 0; next = this.#streams[index + 1]) this.#streams[index++] = next;
    this.#streams[index] = first;
  }
}

/** Those without a row that is left come last. */
function byStart({ start: a }: MatchedStream, { start: b }: MatchedStream): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return comparePlaces(a, b);
}

function later(a: SearchPosition | null, b: SearchPosition): SearchPosition {
  return a === null || comparePlaces(a, b) < 0 ? b : a;
}
