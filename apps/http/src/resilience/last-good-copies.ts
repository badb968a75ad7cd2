import type { Instant } from '@vitrine/core';
import { LRUCache } from 'lru-cache';

/** The last good response to one request, shared by all clients. */
export interface LastGoodCopy {
  readonly madeAt: Instant;
  readonly nextCursor: string | null;
  readonly generatedAt: Instant | null;
  /** The whole body as it was sent, or a function that computes its data for a later time. Bytes and not a string, so that the garbage collector does not have to move it. */
  readonly content: Buffer | ((now: Instant) => unknown);
}

const MAX_BYTES = 64 * 1_024 * 1_024;
const MAX_COPIES = 2_000;
/** Content that is computed later is kept as objects. They take more memory than their JSON text, about this factor. */
const OBJECTS_WEIGHT = 4;
/** A character of a key takes at most two bytes. */
const KEY_WEIGHT = 2;
/** Memory for the entry itself. */
const ENTRY_BYTES = 512;

/** Keeps responses for the time when their source cannot be read. If they take too much memory, the least recently requested one is dropped first. */
export class LastGoodCopies {
  readonly #copies = new LRUCache<string, LastGoodCopy>({ max: MAX_COPIES, maxSize: MAX_BYTES });

  /** Memory of all copies, in bytes. */
  get bytes(): number {
    return this.#copies.calculatedSize;
  }

  get count(): number {
    return this.#copies.size;
  }

  /** @param body the bytes that were sent */
  keep(key: string, copy: LastGoodCopy, body: Buffer): void {
    // A short body is a slice of a larger buffer, and keeps the whole buffer in memory.
    const bytes = copy.content === body ? body.buffer.byteLength : OBJECTS_WEIGHT * body.length;
    this.#copies.set(key, copy, { size: ENTRY_BYTES + KEY_WEIGHT * key.length + bytes });
  }

  forget(key: string): void {
    this.#copies.delete(key);
  }

  /** Returns the copy, or `null` if there is none or it is older than `maxAgeMs`. */
  find(key: string, now: Instant, maxAgeMs: number): LastGoodCopy | null {
    const copy = this.#copies.get(key);
    return copy === undefined || now - copy.madeAt > maxAgeMs ? null : copy;
  }
}
