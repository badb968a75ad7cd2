import type { Instant } from '@vitrine/core';
import { LRUCache } from 'lru-cache';

/** The last good answer to one question, whoever asked it. */
export interface LastGoodCopy {
  readonly madeAt: Instant;
  readonly nextCursor: string | null;
  readonly generatedAt: Instant | null;
  /** The whole body as it was sent, or its data as they are to be told at a later moment. Bytes, because the garbage collector moves the texts of a heap. */
  readonly content: Buffer | ((now: Instant) => unknown);
}

const MAX_BYTES = 64 * 1_024 * 1_024;
const MAX_COPIES = 2_000;
/** What is told anew is kept as objects, which weigh more than their text. */
const OBJECTS_WEIGHT = 4;
/** A character of a key takes two bytes at most. */
const KEY_WEIGHT = 2;
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

  /** @param body as it was sent */
  keep(key: string, copy: LastGoodCopy, body: Buffer): void {
    // Short bodies are slices of a larger piece, which they keep whole.
    const bytes = copy.content === body ? body.buffer.byteLength : OBJECTS_WEIGHT * body.length;
    this.#copies.set(key, copy, { size: ENTRY_BYTES + KEY_WEIGHT * key.length + bytes });
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
