import type { SearchPosition } from '@vitrine/core';
import { comparePlaces, isBefore, type Tier } from './entry-place.js';
import type { SegmentView } from './segment-view.js';

/** Rows of one segment that are hits of a tier as far as its terms tell, in their order. */
export interface MatchedStream {
  readonly view: SegmentView;
  readonly tier: Tier;
  readonly rows: Uint16Array;
  /** The first of them that has not been read yet. */
  index: number;
}

/** A row that is to be read. */
export interface MatchedRow {
  readonly stream: MatchedStream;
  readonly row: number;
}

interface FirstRow extends MatchedRow {
  /** It stands here or behind. */
  readonly start: SearchPosition;
}

/** Merges the rows of several segments. Where a row stands is known of its block only, so some more are taken than needed. */
export class MatchedStreams {
  #streams: MatchedStream[] = [];

  add(streams: readonly MatchedStream[]): void {
    this.#streams = [...this.#streams, ...streams].filter(({ rows, index }) => index < rows.length);
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
    for (let first = this.#first(); first !== null && isBefore(first.start, before); first = this.#first()) {
      if (taken.length >= count && end !== null && !isBefore(first.start, end)) break;
      const { stream, row } = first;
      stream.index += 1;
      taken.push(first);
      end = later(end, stream.view.endOf(stream.tier, row));
    }
    return taken;
  }

  /** Gives rows back that were taken last. */
  giveBack(rows: readonly MatchedRow[]): void {
    for (const { stream } of rows) stream.index -= 1;
  }

  #first(): FirstRow | null {
    let first: FirstRow | null = null;
    for (const stream of this.#streams) {
      const row = stream.rows[stream.index];
      if (row === undefined) continue;
      const start = stream.view.startOf(stream.tier, row);
      if (first === null || comparePlaces(start, first.start) < 0) first = { stream, row, start };
    }
    return first;
  }
}

function later(a: SearchPosition | null, b: SearchPosition): SearchPosition {
  return a === null || comparePlaces(a, b) < 0 ? b : a;
}
