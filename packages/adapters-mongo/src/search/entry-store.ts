import { RecordWords, type SearchableRecord } from '@vitrine/core';
import type { Collection } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import { storeDocuments } from '../writers/store-documents.js';
import { sameWords, wordsOf, type WordsOfRecord } from './record-words.js';
import { nameFor, type RepositoryNames } from './repository-names.js';
import { placeOfRecord, toEntryDocument } from './search-entry-document.js';
import type { WordBook } from './word-book.js';
import type { WordCounts } from './word-counts.js';

/** A record that is stored anew or differently. */
export interface SearchChange {
  readonly record: SearchableRecord;
  readonly stored: SearchableRecord | null;
}

/** Writes entries into one collection, after the words that they hold. */
export class EntryStore {
  readonly #entries: Collection<StoredDocument>;
  readonly #book: WordBook;
  readonly #counts: WordCounts;
  readonly #words = new RecordWords();

  constructor(entries: Collection<StoredDocument>, book: WordBook, counts: WordCounts) {
    this.#entries = entries;
    this.#book = book;
    this.#counts = counts;
  }

  /** Stores the entries of records that are new, or found by other words or elsewhere than before. */
  async put(changes: readonly SearchChange[], names: RepositoryNames): Promise<void> {
    const written = changes.flatMap((change) => this.#changed(change, names));
    await this.#write(written, written.filter(({ isNew }) => isNew).length);
  }

  /** Stores the entries of records whatever they were before. */
  async replace(records: readonly SearchableRecord[], names: RepositoryNames): Promise<void> {
    await this.#write(
      records.map((record) => ({ record, words: wordsOf(this.#words, record, nameFor(record, names)), isNew: false })),
      0,
    );
  }

  #changed({ record, stored }: SearchChange, names: RepositoryNames): ChangedEntry[] {
    const name = nameFor(record, names);
    const words = wordsOf(this.#words, record, name);
    if (stored === null) return [{ record, words, isNew: true }];
    const isMoved = placeOfRecord(record).time !== placeOfRecord(stored).time;
    return isMoved || !sameWords(words, wordsOf(this.#words, stored, name)) ? [{ record, words, isNew: false }] : [];
  }

  async #write(changed: readonly ChangedEntry[], newCount: number): Promise<void> {
    if (changed.length === 0) return;
    const isTail = await this.#book.learn(changed.flatMap(({ words }) => [words.title, words.other]));
    const documents = changed.map(({ record, words, isNew }) => ({ document: toEntryDocument(record, words, isTail), isNew }));
    await storeDocuments(this.#entries, documents);
    await this.#counts.grew(newCount);
  }
}

interface ChangedEntry {
  readonly record: SearchableRecord;
  readonly words: WordsOfRecord;
  readonly isNew: boolean;
}
