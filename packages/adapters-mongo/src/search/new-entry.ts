import type { RecordWords, SearchableRecord } from '@vitrine/core';
import { placeOfRecord, type EntryPlace } from './entry-place.js';
import { wordsOf, type WordsOfRecord } from './record-words.js';
import { nameFor, type RepositoryNames } from './repository-names.js';

/** An entry that is to be written; without words a tombstone. */
export interface NewEntry {
  readonly place: EntryPlace;
  readonly words: WordsOfRecord | null;
  /** A commit's, which is found by its beginning. */
  readonly sha: string | null;
}

/** The entry under which a record is found. */
export function newEntry(words: RecordWords, record: SearchableRecord, names: RepositoryNames): NewEntry {
  const sha = record.kind === 'commit' ? record.sha : null;
  return { place: placeOfRecord(record), words: wordsOf(words, record, nameFor(record, names)), sha };
}

/** That a record does not stand where it stood. */
export function goneFrom(record: SearchableRecord): NewEntry {
  return { place: placeOfRecord(record), words: null, sha: null };
}
