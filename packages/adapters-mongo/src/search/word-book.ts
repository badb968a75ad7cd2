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

/** Whether a word that was learnt stands under the common key of its head too. */
export type TailTest = (word: string) => boolean;

/** What the writers know of the words in `search_words`. Whether a word is direct is settled when it is first stored, and stays. */
export class WordBook {
  readonly #words: Collection<StoredDocument>;
  #isTail = new Map<string, boolean>();
  /** How many direct words each head has. */
  readonly #directCounts = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  readonly #claimed = new Set<string>();

  constructor(words: Collection<StoredDocument>) {
    this.#words = words;
  }

  /**
   * Stores the words that are new, and tells which words stand under the common key of their head too. To be called before the entries that hold
   * them are stored, so that no entry has a word that is not found.
   */
  async learn(words: readonly ReadonlySet<string>[]): Promise<TailTest> {
    if (this.#isTail.size > MAX_KNOWN && this.#running.size === 0) this.#forget();
    const isTail = this.#isTail;
    const unknown = new Set<string>();
    for (const some of words) for (const word of some) if (!isTail.has(word)) unknown.add(word);
    const own = [...unknown].filter((word) => !this.#claimed.has(word));
    if (own.length > 0) this.#run(own);
    if (unknown.size > 0) await Promise.all(this.#running);
    return (word) => isTail.get(word) ?? false;
  }

  /** Parts of one batch share most of their new words: whoever comes first learns a word, and the others wait for it. */
  #run(words: readonly string[]): void {
    for (const word of words) this.#claimed.add(word);
    const run = this.#learn(words).finally(() => {
      this.#running.delete(run);
      for (const word of words) this.#claimed.delete(word);
    });
    this.#running.add(run);
  }

  async #learn(words: readonly string[]): Promise<void> {
    await this.#recall(words);
    const missing = words.filter((word) => !this.#isTail.has(word));
    if (missing.length > 0) await this.#store(missing);
  }

  /** Tests that were given out keep what they know. */
  #forget(): void {
    this.#isTail = new Map();
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
    // Another run may have counted them meanwhile, and have added to them since.
    for await (const { _id, count } of counts) if (!this.#directCounts.has(_id)) this.#directCounts.set(_id, count);
  }
}
