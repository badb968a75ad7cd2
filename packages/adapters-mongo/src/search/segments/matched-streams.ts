import type { SearchPosition } from '@vitrine/core';
import { comparePositions, isBefore, type Tier } from './position.js';
import type { SegmentView } from './segment-view.js';

/** The entries of one segment that match a tier according to its posting lists, in order. */
export class MatchedStream {
  readonly view: SegmentView;
  readonly tier: Tier;
  readonly #docIds: Uint16Array;
  #index: number;
  #start: SearchPosition | null;

  /** @param index the index of the first entry to return */
  constructor(view: SegmentView, tier: Tier, docIds: Uint16Array, index: number) {
    [this.view, this.tier, this.#docIds, this.#index] = [view, tier, docIds, index];
    this.#start = this.#startAt(index);
  }

  /** The document id of the next entry; `null` after the last. */
  get docId(): number | null {
    return this.#docIds[this.#index] ?? null;
  }

  /** A lower bound: the next entry has this position or a later one. */
  get start(): SearchPosition | null {
    return this.#start;
  }

  /** @param by one entry forward or back */
  move(by: 1 | -1): void {
    this.#index += by;
    this.#start = this.#startAt(this.#index);
  }

  #startAt(index: number): SearchPosition | null {
    const docId = this.#docIds[index];
    return docId === undefined ? null : this.view.startOf(this.tier, docId);
  }
}

/** An entry that must be read. */
export interface MatchedEntry {
  readonly stream: MatchedStream;
  readonly docId: number;
}

/** Merges the matched entries of several segments. Only the block of an entry is known, not its exact position. So a few more are taken than are needed. */
export class MatchedStreams {
  /** Sorted by the position of their next entry. */
  #streams: MatchedStream[] = [];

  add(streams: readonly MatchedStream[]): void {
    this.#streams = [...this.#streams, ...streams.filter(({ docId }) => docId !== null)].sort(byStart);
  }

  /** A lower bound: no remaining entry has an earlier position. `null` if none remains. */
  get start(): SearchPosition | null {
    return this.#streams[0]?.start ?? null;
  }

  /**
   * Takes the next entries: at least `count`, and as many more as are needed so that all remaining ones come after the first `count`.
   *
   * @param before stop here, because entries that were not added yet may come before it
   */
  take(count: number, before: SearchPosition | null): readonly MatchedEntry[] {
    const taken: MatchedEntry[] = [];
    let end: SearchPosition | null = null;
    for (let stream = this.#streams[0]; stream !== undefined; stream = this.#streams[0]) {
      const { docId, start } = stream;
      if (docId === null || start === null || !isBefore(start, before)) break;
      if (taken.length >= count && end !== null && !isBefore(start, end)) break;
      stream.move(1);
      this.#putInPlace(stream);
      taken.push({ stream, docId });
      end = later(end, stream.view.endOf(stream.tier, docId));
    }
    return taken;
  }

  /** Puts back entries that were taken last. */
  giveBack(taken: readonly MatchedEntry[]): void {
    for (const { stream } of taken) stream.move(-1);
    this.#streams.sort(byStart);
  }

  /** @param first the stream that was first before it moved */
  #putInPlace(first: MatchedStream): void {
    let index = 0;
    for (let next = this.#streams[1]; next !== undefined && byStart(next, first) < 0; next = this.#streams[index + 1]) this.#streams[index++] = next;
    this.#streams[index] = first;
  }
}

/** Streams without a remaining entry come last. */
function byStart({ start: a }: MatchedStream, { start: b }: MatchedStream): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return comparePositions(a, b);
}

function later(a: SearchPosition | null, b: SearchPosition): SearchPosition {
  return a === null || comparePositions(a, b) < 0 ? b : a;
}
