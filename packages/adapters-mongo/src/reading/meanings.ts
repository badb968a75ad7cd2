import type { RecordKind } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import { BSON, type Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { NOT_UTF_8, usable } from './decoding.js';
import { lenient } from './find-documents.js';
import type { QuarantineMonitor } from './quarantine.js';

/** For one kind: the first pages of many lists, or a thousand repositories. */
const KEPT_BYTES = 1_048_576;
/** Larger documents are rare, and would displace too many others. */
const LONGEST_KEPT_BYTES = 16_384;
/** Documents begin with their id, so the first bytes tell them apart. */
const MARKED_BYTES = 256;
/** A few more than the cache can hold. */
const MET_LATELY = 4_096;

interface Known<Meaning> {
  readonly bytes: Uint8Array;
  readonly meaning: Meaning | BadValue;
}

/**
 * The decoded-document cache of one kind. Pages show the same documents again and again, and decoding takes longer than reading. The key of an entry
 * is the bytes of the document, so a changed document is a different entry. A document is cached when it is read for the second time: a client that reads
 * all pages must not displace what many clients request, and caching a document costs as much as decoding it.
 */
export class Meanings<Meaning extends object> {
  readonly #kind: RecordKind;
  readonly #monitor: QuarantineMonitor;
  readonly #decode: (document: Document) => Meaning | BadValue;
  readonly #known = new LRUCache<number, Known<Meaning>>({
    maxSize: KEPT_BYTES,
    maxEntrySize: LONGEST_KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
  });
  /** The marks of documents that were read recently. */
  readonly #met = new Set<number>();

  constructor(kind: RecordKind, monitor: QuarantineMonitor, decode: (document: Document) => Meaning | BadValue) {
    this.#kind = kind;
    this.#monitor = monitor;
    this.#decode = decode;
  }

  /** Decodes documents. Invalid ones are reported and left out. */
  of(found: readonly Uint8Array[]): Meaning[] {
    return usable(this.#kind, found, this.#monitor, (bytes) => this.#meaningOf(bytes), lenient);
  }

  #meaningOf(bytes: Uint8Array): Meaning | BadValue {
    const mark = markOf(bytes);
    const known = this.#known.get(mark);
    if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known.meaning;
    const meaning = this.#decoded(bytes);
    // The bytes are copied, because they are part of the server's whole response, which must not stay in memory.
    if (this.#isMetAgain(mark)) this.#known.set(mark, { bytes: new Uint8Array(bytes), meaning });
    return meaning;
  }

  #isMetAgain(mark: number): boolean {
    if (this.#met.has(mark)) return true;
    if (this.#met.size >= MET_LATELY) this.#met.clear();
    this.#met.add(mark);
    return false;
  }

  #decoded(bytes: Uint8Array): Meaning | BadValue {
    try {
      return this.#decode(BSON.deserialize(bytes));
    } catch (error) {
      if (BSON.BSONError.isBSONError(error)) return NOT_UTF_8;
      throw error;
    }
  }
}

/** A 32-bit hash. Two documents seldom have the same one; if they do, both are decoded each time. */
function markOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MARKED_BYTES));
  let mark = 0;
  for (let at = 0; at + 4 <= view.byteLength; at += 4) {
    mark = Math.imul(mark ^ view.getInt32(at), 0x01000193);
    mark ^= mark >>> 15;
  }
  return mark;
}
