import type { Instant } from '@vitrine/core';
import { LRUCache } from 'lru-cache';

/** The last good answer to one question, whoever asked it. */
export interface LastGoodCopy {
  readonly madeAt: Instant;
  readonly nextCursor: string | null;
  readonly generatedAt: Instant | null;
  /** The whole body as it was sent, or its data as they are to be told at a later moment. */
  readonly content: string | ((now: Instant) => unknown);
}

const MAX_BYTES = 64 * 1_024 * 1_024;
const MAX_COPIES = 2_000;
/** A character of a text takes two bytes at most. What is told anew is kept as objects, which weigh more than their text. */
const TEXT_WEIGHT = 2;
const OBJECTS_WEIGHT = 4;
/** For the entry itself. */
const ENTRY_BYTES = 512;

/** Answers that are kept for the time when their source cannot be read, the one that was asked for longest ago leaving first. */
export class LastGoodCopies {
  readonly #copies = new LRUCache<string, LastGoodCopy>({ max: MAX_COPIES, maxSize: MAX_BYTES });

  /** What all copies take, in bytes. */
  get bytes(): number {
    return this.#copies.calculatedSize;
  }

  get count(): number {
    return this.#copies.size;
  }

  /** @param length of the copy's text, in characters */
  keep(key: string, copy: LastGoodCopy, length: number): void {
    const weight = typeof copy.content === 'string' ? TEXT_WEIGHT : OBJECTS_WEIGHT;
    this.#copies.set(key, copy, { size: ENTRY_BYTES + TEXT_WEIGHT * key.length + weight * length });
  }

  forget(key: string): void {
    this.#copies.delete(key);
  }

  /** The copy, unless it is older than `maxAgeMs`. */
  find(key: string, now: Instant, maxAgeMs: number): LastGoodCopy | null {
    const copy = this.#copies.get(key);
    return copy === undefined || now - copy.madeAt > maxAgeMs ? null : copy;
  }
}
