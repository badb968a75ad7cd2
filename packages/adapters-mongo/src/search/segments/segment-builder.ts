import type { SearchType } from '@vitrine/core';
import { BLOCK_ENTRIES, entryBlockId, termBlockId, type Block } from './blocks.js';
import { MAX_ENTRIES, postingOf, tagOf } from './posting.js';
import { entryOrder, type NewEntry, type SegmentEntry, type SegmentRef } from './segment.js';

/** The size at which a term block is complete. A search for a rare word reads one such block of each segment. */
const BLOCK_BYTES = 8_192;
const BYTES_OF_TERM = 5;
const BYTES_OF_POSTING = 4;

/**
 * Builds one segment, block by block: first all entries in their order, then all terms in theirs, then the directory. It holds one unfinished block of
 * each kind, the directory, and the postings of one term.
 */
export class SegmentBuilder {
  readonly #id: string;
  readonly #run: string;
  readonly #emit: (block: Block) => void;
  #first: SegmentEntry | null = null;
  #last: SegmentEntry | null = null;
  #count = 0;
  #entries: SegmentEntry[] = [];
  readonly #times: number[] = [];
  readonly #keys: string[] = [];
  #held: { terms: string[]; ends: number[]; postings: number[]; bytes: number } = { terms: [], ends: [], postings: [], bytes: 0 };
  readonly #firstTerms: string[] = [];
  readonly #sizes: number[] = [];
  #posted = new Uint32Array(0);
  #postedCount = 0;

  /** @param emit receives each block when it is complete */
  constructor(id: string, run: string, emit: (block: Block) => void) {
    [this.#id, this.#run, this.#emit] = [id, run, emit];
  }

  get isFull(): boolean {
    return this.#count === MAX_ENTRIES;
  }

  /** Adds the next entry and returns its document id. */
  addEntry(entry: SegmentEntry): number {
    if (this.#entries.length === 0) {
      this.#times.push(entry.time);
      this.#keys.push(this.#last?.time === entry.time ? entry.recordKey : '');
    }
    this.#first ??= entry;
    this.#last = entry;
    if (this.#entries.push(entry) === BLOCK_ENTRIES) this.#closeEntries();
    return this.#count++;
  }

  /** Adds a posting of the current term, in any order. */
  post(posting: number): void {
    if (this.#posted.length < this.#count) this.#posted = new Uint32Array(this.#count);
    this.#posted[this.#postedCount++] = posting;
  }

  /** Ends the current term. Its postings were posted before. */
  closeTerm(term: string): void {
    const postings = this.#posted.subarray(0, this.#postedCount);
    if (!isSorted(postings)) postings.sort();
    this.#postedCount = 0;
    const bytes = term.length + BYTES_OF_TERM + BYTES_OF_POSTING * postings.length;
    if (this.#held.bytes + bytes > BLOCK_BYTES) this.#closeTerms();
    const held = this.#held;
    held.terms.push(term);
    for (const posting of postings) held.postings.push(posting);
    held.ends.push(held.postings.length);
    held.bytes += bytes;
  }

  /** Emits the remaining blocks. The segment has at least one entry. */
  finish(): SegmentRef {
    const [first, last] = [this.#first, this.#last];
    if (first === null || last === null) throw new RangeError('a segment has at least one entry');
    if (this.#entries.length > 0) this.#closeEntries();
    this.#closeTerms();
    const value = { terms: this.#firstTerms, sizes: Uint32Array.from(this.#sizes), times: this.#times, keys: this.#keys };
    this.#emit({ id: this.#id, kind: 'directory', value });
    return { id: this.#id, run: this.#run, rows: this.#count, newest: first.time, oldest: last.time };
  }

  #closeEntries(): void {
    const entries = this.#entries;
    const gone = entries.flatMap(({ isTombstone }, index) => (isTombstone ? [index] : []));
    const value = {
      times: Float64Array.from(entries, ({ time }) => time),
      keys: entries.map(({ recordKey }) => recordKey),
      scopes: entries.map(({ repositoryRef }) => repositoryRef),
      ...(gone.length > 0 ? { gone } : {}),
    };
    this.#emit({ id: entryBlockId(this.#id, this.#times.length - 1), kind: 'entries', value });
    this.#entries = [];
  }

  #closeTerms(): void {
    const { terms, ends, postings } = this.#held;
    const [first] = terms;
    if (first === undefined) return;
    const value = { terms, ends: Uint32Array.from(ends), postings: Uint32Array.from(postings) };
    this.#emit({ id: termBlockId(this.#id, this.#firstTerms.length), kind: 'terms', value });
    this.#firstTerms.push(first);
    this.#sizes.push(ends.length, postings.length);
    this.#held = { terms: [], ends: [], postings: [], bytes: 0 };
  }
}

export interface NewSegment {
  readonly ref: SegmentRef;
  readonly blocks: readonly Block[];
}

/** The segment of some entries of a type, as a separate run. @param entries each position once, and at most as many as a segment may have */
export function newSegment(type: SearchType, id: string, entries: readonly NewEntry[]): NewSegment {
  const blocks: Block[] = [];
  const builder = new SegmentBuilder(id, id, (block) => blocks.push(block));
  const order = entryOrder(type);
  const postings = new Map<string, number[]>();
  for (const { entry, terms } of entries.toSorted((a, b) => order(a.entry, b.entry))) {
    const posting = postingOf(builder.addEntry(entry), tagOf(entry.repositoryRef));
    for (const term of terms) {
      const known = postings.get(term);
      if (known === undefined) postings.set(term, [posting]);
      else known.push(posting);
    }
  }
  for (const term of [...postings.keys()].sort()) {
    for (const posting of postings.get(term) ?? []) builder.post(posting);
    builder.closeTerm(term);
  }
  return { ref: builder.finish(), blocks };
}

function isSorted(numbers: Uint32Array): boolean {
  for (let index = 1; index < numbers.length; index++) if ((numbers[index] ?? 0) < (numbers[index - 1] ?? 0)) return false;
  return true;
}
