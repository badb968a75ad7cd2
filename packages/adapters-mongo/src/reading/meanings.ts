import type { RecordKind } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import { BSON, type Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { NOT_UTF_8, usable } from './decoding.js';
import { lenient } from './find-documents.js';
import type { QuarantineMonitor } from './quarantine.js';

/** Of one kind: the first pages of many lists, or a thousand repositories. */
const KEPT_BYTES = 1_048_576;
/** Longer documents are rare, and would push out too many. */
const LONGEST_KEPT_BYTES = 16_384;
/** Documents begin with their id: these tell them apart. */
const MARKED_BYTES = 256;
/** Some more than can be kept. */
const MET_LATELY = 4_096;

interface Known<Meaning> {
  readonly bytes: Uint8Array;
  readonly meaning: Meaning | BadValue;
}

/**
 * What stored documents of one kind mean. Pages show the same documents again and again, and to decode one takes longer than to read it, so meanings are
 * remembered by the bytes they stand in: a document that has changed is another one. What is met for the first time is not remembered yet: walks through
 * all pages would push out what many ask for, and to keep a document costs as much as to decode it.
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
  /** The marks of what was met lately. */
  readonly #met = new Set<number>();

  constructor(kind: RecordKind, monitor: QuarantineMonitor, decode: (document: Document) => Meaning | BadValue) {
    this.#kind = kind;
    this.#monitor = monitor;
    this.#decode = decode;
  }

  /** What the documents mean; what cannot be used is told and left out. */
  of(found: readonly Uint8Array[]): Meaning[] {
    return usable(this.#kind, found, this.#monitor, (bytes) => this.#meaningOf(bytes), lenient);
  }

  #meaningOf(bytes: Uint8Array): Meaning | BadValue {
    const mark = markOf(bytes);
    const known = this.#known.get(mark);
    if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known.meaning;
    const meaning = this.#decoded(bytes);
    // A copy, because they stand in the whole answer of the server.
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

/** 32 bits that other documents hardly share. Where they do, both are decoded each time. */
function markOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MARKED_BYTES));
  let mark = 0;
  for (let at = 0; at + 4 <= view.byteLength; at += 4) {
    mark = Math.imul(mark ^ view.getInt32(at), 0x01000193);
    mark ^= mark >>> 15;
  }
  return mark;
}
