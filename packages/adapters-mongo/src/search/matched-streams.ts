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
  #streams: MatchedStream[] = [];

  add(streams: readonly MatchedStream[]): void {
    this.#streams = [...this.#streams, ...streams].filter(({ row }) => row !== null);
  }

  /** No row that is left stands before this; `null` when none is left. */
  get start(): SearchPosition | null {
    return this.#first()?.start ?? null;
  }

  /**
   * Takes the next rows: so many or more that those after them stand behind them.
   *
   * @param before none at or behind this, because others that were not added yet may stand between them
   */
  take(count: number, before: SearchPosition | null): readonly MatchedRow[] {
    const taken: MatchedRow[] = [];
    let end: SearchPosition | null = null;
    for (let stream = this.#first(); stream !== null; stream = this.#first()) {
      const { row, start } = stream;
      if (row === null || start === null || !isBefore(start, before)) break;
      if (taken.length >= count && end !== null && !isBefore(start, end)) break;
      stream.move(1);
      taken.push({ stream, row });
      end = later(end, stream.view.endOf(stream.tier, row));
    }
    return taken;
  }

  /** Gives rows back that were taken last. */
  giveBack(rows: readonly MatchedRow[]): void {
    for (const { stream } of rows) stream.move(-1);
  }

  #first(): MatchedStream | null {
    let first: MatchedStream | null = null;
    for (const stream of this.#streams) if (stream.start !== null && (first?.start == null || isBefore(stream.start, first.start))) first = stream;
    return first;
  }
}

function later(a: SearchPosition | null, b: SearchPosition): SearchPosition {
  return a === null || comparePlaces(a, b) < 0 ? b : a;
}
