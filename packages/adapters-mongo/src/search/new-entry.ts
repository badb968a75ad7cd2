import type { RecordWords, SearchableRecord } from '@vitrine/core';
import { placeOfRecord, type EntryPlace } from './entry-place.js';
import { wordsOf, type WordsOfRecord } from './record-words.js';
import { nameFor, type RepositoryNames } from './repository-names.js';

/** An entry to write. Without words it is a tombstone. */
export interface NewEntry {
  readonly place: EntryPlace;
  readonly words: WordsOfRecord | null;
  /** Only for commits, which are also found by a prefix of their sha. */
  readonly sha: string | null;
}

/** The search entry of a record. */
export function newEntry(words: RecordWords, record: SearchableRecord, names: RepositoryNames): NewEntry {
  const sha = record.kind === 'commit' ? record.sha : null;
  return { place: placeOfRecord(record), words: wordsOf(words, record, nameFor(record, names)), sha };
}

/** A tombstone for the previous position of a record. */
export function goneFrom(record: SearchableRecord): NewEntry {
  return { place: placeOfRecord(record), words: null, sha: null };
}
