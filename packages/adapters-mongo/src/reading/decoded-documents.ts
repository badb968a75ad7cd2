import { LRUCache } from 'lru-cache';

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
