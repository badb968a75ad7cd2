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

/**
 * What stored documents of one kind mean. Pages show the same documents again and again, and to decode one takes longer than to read it, so meanings are
 * remembered by the bytes they stand in: a document that has changed is another one.
 */
export class Meanings<Meaning extends object> {
  readonly #kind: RecordKind;
  readonly #monitor: QuarantineMonitor;
  readonly #decode: (document: Document) => Meaning | BadValue;
  readonly #known = new LRUCache<string, Meaning | BadValue>({
    maxSize: KEPT_BYTES,
    maxEntrySize: LONGEST_KEPT_BYTES,
    sizeCalculation: (_meaning, bytes) => bytes.length,
  });

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
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const meaning = this.#decoded(bytes);
    this.#known.set(key, meaning);
    return meaning;
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
