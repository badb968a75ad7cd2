import { MongoBulkWriteError, type Collection } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import { findDocuments } from '../reading/find-documents.js';
import { headOf } from './entry-keys.js';

/**
 * So many words of a head are looked for one by one; they are those that came first, and so mostly the frequent ones. Chosen so that the keys
 * of two parts of the store, and of a sha's sixteen beginnings, can be merged in order.
 */
export const MAX_DIRECT_WORDS = 90;

const MAX_KNOWN = 200_000;
const DUPLICATE_KEY = 11_000;

/** What the writers know of the words in `search_words`. Whether a word is direct is settled when it is first stored, and stays. */
export class WordBook {
  readonly #words: Collection<StoredDocument>;
  readonly #isTail = new Map<string, boolean>();
  /** How many direct words each head has. */
  readonly #directCounts = new Map<string, number>();

  constructor(words: Collection<StoredDocument>) {
    this.#words = words;
  }

  /** Stores the words that are new. To be called before the entries that hold them are stored, so that no entry has a word that is not found. */
  async learn(words: ReadonlySet<string>): Promise<void> {
    if (this.#isTail.size > MAX_KNOWN) this.#forget();
    const unknown = [...words].filter((word) => !this.#isTail.has(word));
    if (unknown.length === 0) return;
    await this.#recall(unknown);
    const missing = unknown.filter((word) => !this.#isTail.has(word));
    if (missing.length > 0) await this.#store(missing);
  }

  /** Whether a word that was learnt stands under the common key of its head too. */
  isTail(word: string): boolean {
    return this.#isTail.get(word) ?? false;
  }

  #forget(): void {
    this.#isTail.clear();
    this.#directCounts.clear();
  }

  async #recall(words: readonly string[]): Promise<void> {
    const found = await findDocuments(this.#words, { _id: { $in: [...words] } }, { projection: { head: 1 }, batchSize: words.length + 1 });
    for (const { _id, head } of found.documents) if (typeof _id === 'string') this.#isTail.set(_id, typeof head !== 'string');
  }

  async #store(words: readonly string[]): Promise<void> {
    await this.#countDirect(words);
    const documents = words.map((word) => this.#newWord(word));
    try {
      await this.#words.insertMany(documents, { ordered: false });
      for (const { _id, head } of documents) this.#isTail.set(_id, head === undefined);
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError && error.code === DUPLICATE_KEY)) throw error;
      // Another writer has just stored some of them, perhaps otherwise.
      await this.#recall(words);
    }
  }

  #newWord(word: string): { readonly _id: string; readonly head?: string } {
    const head = headOf(word);
    const count = head === null ? MAX_DIRECT_WORDS : (this.#directCounts.get(head) ?? 0);
    if (head === null || count >= MAX_DIRECT_WORDS) return { _id: word };
    this.#directCounts.set(head, count + 1);
    return { _id: word, head };
  }

  async #countDirect(words: readonly string[]): Promise<void> {
    const heads = [...new Set(words.map(headOf))].filter((head) => head !== null && !this.#directCounts.has(head));
    if (heads.length === 0) return;
    const counts = this.#words.aggregate<{ _id: string; count: number }>([
      { $match: { head: { $in: heads } } },
      { $group: { _id: '$head', count: { $sum: 1 } } },
    ]);
    for await (const { _id, count } of counts) this.#directCounts.set(_id, count);
  }
}
