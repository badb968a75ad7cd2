import type { SearchableRecord } from '@vitrine/core';
import { MongoBulkWriteError, type AnyBulkWriteOperation, type Collection } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import { RecordWords, sameWords, type WordsOfRecord } from './record-words.js';
import { nameFor, type RepositoryNames } from './repository-names.js';
import { placeOfRecord, toEntryDocument } from './search-entry-document.js';
import type { WordBook } from './word-book.js';
import type { WordCounts } from './word-counts.js';

/** A record that is stored anew or differently. */
export interface SearchChange {
  readonly record: SearchableRecord;
  readonly stored: SearchableRecord | null;
}

const DUPLICATE_KEY = 11_000;
const PARTS = 2;
const MIN_PART = 100;

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
      records.map((record) => ({ record, words: this.#words.of(record, nameFor(record, names)), isNew: false })),
      0,
    );
  }

  #changed({ record, stored }: SearchChange, names: RepositoryNames): ChangedEntry[] {
    const name = nameFor(record, names);
    const words = this.#words.of(record, name);
    if (stored === null) return [{ record, words, isNew: true }];
    const isMoved = placeOfRecord(record).time !== placeOfRecord(stored).time;
    return isMoved || !sameWords(words, this.#words.of(stored, name)) ? [{ record, words, isNew: false }] : [];
  }

  async #write(changed: readonly ChangedEntry[], newCount: number): Promise<void> {
    if (changed.length === 0) return;
    const words = new Set<string>();
    for (const { words: own } of changed) {
      for (const word of own.title) words.add(word);
      for (const word of own.other) words.add(word);
    }
    await this.#book.learn(words);
    const isTail = (word: string) => this.#book.isTail(word);
    const documents = changed.map(({ record, words: own }) => toEntryDocument(record, own, isTail));
    const operations = documents.map((document, index) => (changed[index]?.isNew === true ? insertion(document) : replacement(document)));
    await Promise.all(inParts(operations).map((part) => this.#store(part)));
    await this.#counts.grew(newCount);
  }

  /** New entries are inserted, which is much cheaper than looking for them first; those that a writer has left half done are replaced. */
  async #store(operations: readonly AnyBulkWriteOperation<StoredDocument>[]): Promise<void> {
    try {
      await this.#entries.bulkWrite([...operations], { ordered: false });
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError && error.code === DUPLICATE_KEY)) throw error;
      const present = [error.writeErrors].flat().map(({ index }) => operations[index]);
      await this.#entries.bulkWrite(
        present.flatMap((operation) => (operation !== undefined && 'insertOne' in operation ? [replacement(operation.insertOne.document)] : [])),
        { ordered: false },
      );
    }
  }
}

/** The server spends most of a write on the keys of entries, so a large one is given to it in parts that it can work on at once. */
function inParts<Item>(items: readonly Item[]): Item[][] {
  const size = Math.max(MIN_PART, Math.ceil(items.length / PARTS));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

interface ChangedEntry {
  readonly record: SearchableRecord;
  readonly words: WordsOfRecord;
  readonly isNew: boolean;
}

function insertion(document: StoredDocument): AnyBulkWriteOperation<StoredDocument> {
  return { insertOne: { document } };
}

function replacement({ _id, ...replacement }: StoredDocument): AnyBulkWriteOperation<StoredDocument> {
  return { replaceOne: { filter: { _id }, replacement, upsert: true } };
}
