import { quotable, type PlainRecord, type RecordKind } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import { BSON, type Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import type { DocumentSpec } from '../documents/documents.js';
import { lenient, type FoundDocuments } from './find-documents.js';

/** Receives stored documents that cannot be decoded. Readers skip them and fill the page with the next ones. */
export interface QuarantineMonitor {
  /**
   * @param id the `_id` of the document in a form that may be logged: at most 80 characters, without e-mail addresses and without the name of another repository
   * @param reason for example `committedAt: wrong` or `email-in-identifier`
   */
  quarantined(kind: RecordKind, id: string, reason: string): void;
}

export const SILENT_QUARANTINE: QuarantineMonitor = { quarantined: () => undefined };

export const NOT_UTF_8 = new BadValue('', 'not UTF-8');

/** Decodes the found documents. Invalid documents are reported and left out. */
export function decoded<Meaning>(
  kind: RecordKind,
  { documents, damaged }: FoundDocuments,
  monitor: QuarantineMonitor,
  decode: (document: Document) => Meaning | BadValue,
): Meaning[] {
  const meaningOf = (document: Document) => (damaged.has(document) ? NOT_UTF_8 : decode(document));
  return usable(kind, documents, monitor, meaningOf, (document) => document);
}

/** The items that can be decoded. For the others, the monitor gets the id. */
function usable<Found, Meaning>(
  kind: RecordKind,
  found: readonly Found[],
  monitor: QuarantineMonitor,
  meaningOf: (one: Found) => Meaning | BadValue,
  documentOf: (one: Found) => Document,
): Meaning[] {
  const meanings: Meaning[] = [];
  for (const one of found) {
    const meaning = meaningOf(one);
    if (meaning instanceof BadValue) monitor.quarantined(kind, idText(documentOf(one), meaning), meaning.toString());
    else meanings.push(meaning);
  }
  return meanings;
}

export function recordsOf<Record extends PlainRecord>(spec: DocumentSpec<Record>, found: FoundDocuments, monitor: QuarantineMonitor): Record[] {
  return decoded(spec.kind, found, monitor, (document) => spec.toRecord(document));
}

/** A stored id as text for the log. The id of another repository's record is not shown, because it would reveal that repository. */
function idText({ _id: id, repositoryRef }: Document, { reason }: BadValue): string {
  if (reason === 'foreign-id') return `one of ${quotable(String(repositoryRef))}`;
  return quotable(typeof id === 'string' ? id : JSON.stringify(id));
}

interface MeaningsContext {
  readonly monitor: QuarantineMonitor;
  readonly decodedDocuments: DecodedDocuments;
}

interface DocumentDecoder<Meaning> {
  toRecord(document: Document): Meaning | BadValue;
}

/** Decodes the documents of one kind, unless {@link DecodedDocuments} has them. */
export class Meanings<Meaning extends object> {
  readonly #kind: RecordKind;
  readonly #context: MeaningsContext;
  readonly #decoder: DocumentDecoder<Meaning>;
  readonly #number: number;

  constructor(kind: RecordKind, context: MeaningsContext, decoder: DocumentDecoder<Meaning>) {
    this.#kind = kind;
    this.#context = context;
    this.#decoder = decoder;
    this.#number = context.decodedDocuments.numberOf(decoder);
  }

  /** Decodes documents. Invalid ones are reported and left out. */
  of(found: readonly Uint8Array[]): Meaning[] {
    const { monitor, decodedDocuments } = this.#context;
    return usable(this.#kind, found, monitor, (bytes) => decodedDocuments.decoded(this.#number, bytes, this.#decoded), lenient);
  }

  readonly #decoded = (bytes: Uint8Array): Meaning | BadValue => {
    try {
      return this.#decoder.toRecord(BSON.deserialize(bytes));
    } catch (error) {
      if (BSON.BSONError.isBSONError(error)) return NOT_UTF_8;
      throw error;
    }
  };
}

/** About 15,000 commits, which take about three times as much memory once they are decoded. */
const KEPT_BYTES = 12 * 1_048_576;
/** Larger documents are rare, and would displace too many others. */
const LONGEST_KEPT_BYTES = 16_384;
/** Documents begin with their id, so the first bytes tell them apart. */
const MARKED_BYTES = 256;
/** A few more than the cache can hold. */
const SEEN_LATELY = 32_768;

interface Known {
  readonly decoder: number;
  readonly bytes: Uint8Array;
  readonly result: unknown;
}

/**
 * The decoded-document cache of all kinds. Pages show the same documents again and again, and decoding takes longer than reading. The key of an entry
 * is the bytes of the document, so a changed document is a different entry. A document is cached when it is read for the second time: a client that reads
 * all pages must not displace what many clients request, and caching a document costs as much as decoding it.
 */
export class DecodedDocuments {
  readonly #known: LRUCache<number, Known>;
  readonly #decoders: object[] = [];
  /** The marks of documents that were read recently. */
  readonly #seen = new Set<number>();

  constructor(keptBytes = KEPT_BYTES) {
    this.#known = new LRUCache({ maxSize: keptBytes, maxEntrySize: LONGEST_KEPT_BYTES, sizeCalculation: ({ bytes }) => bytes.length });
  }

  /** The number of a decoder. The same document can have several decoders, with different results. */
  numberOf(decoder: object): number {
    const known = this.#decoders.indexOf(decoder);
    return known >= 0 ? known : this.#decoders.push(decoder) - 1;
  }

  /** The result of `decode`, or an earlier one of the same decoder for the same bytes. */
  decoded<Result>(decoder: number, bytes: Uint8Array, decode: (bytes: Uint8Array) => Result): Result {
    const mark = markOf(bytes, decoder);
    const known = this.#known.get(mark);
    if (known?.decoder === decoder && Buffer.compare(known.bytes, bytes) === 0) return known.result as Result;
    const result = decode(bytes);
    // The bytes are copied, because they are part of the server's whole response, which must not stay in memory.
    if (this.#isSeenAgain(mark)) this.#known.set(mark, { decoder, bytes: new Uint8Array(bytes), result });
    return result;
  }

  #isSeenAgain(mark: number): boolean {
    if (this.#seen.has(mark)) return true;
    if (this.#seen.size >= SEEN_LATELY) this.#seen.clear();
    this.#seen.add(mark);
    return false;
  }
}

/** A 32-bit hash. Two documents seldom have the same one; if they do, both are decoded each time. */
function markOf(bytes: Uint8Array, decoder: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MARKED_BYTES));
  let mark = decoder;
  for (let at = 0; at + 4 <= view.byteLength; at += 4) {
    mark = Math.imul(mark ^ view.getInt32(at), 0x01000193);
    mark ^= mark >>> 15;
  }
  return mark;
}
