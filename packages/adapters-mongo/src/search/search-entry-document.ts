import {
  keyOfIdentity,
  LATEST_INSTANT,
  NO_REPOSITORY,
  REPOSITORY_SEARCH_TIME,
  scopeOf,
  searchTypeOf,
  SEARCH_TYPES,
  SERVICE_SEARCH_TIME,
  timeOf,
  type Instant,
  type ScopeRef,
  type SearchableRecord,
  type SearchPosition,
} from '@vitrine/core';
import { BadValue, badValue, isPlainObject, object, type BsonSchema, type Codec } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { scopeRef, sha } from '../documents/shared-fields.js';
import { instant, list, oneOf, optional, text } from '../documents/values.js';
import { hasAllInTail, headOf, marksOf, shaKey, tailKey, wordKey, type KeyMark } from './entry-keys.js';
import type { WordsOfRecord } from './record-words.js';
import { entryKey, FIRST_TIME, placeOf, positionId, recordKeyOf } from './search-place.js';
import type { TailTest } from './word-book.js';

/** Where a record stands in search, as its entry says. */
export interface EntryPlace extends Omit<SearchPosition, 'tier'> {
  readonly repositoryRef: ScopeRef;
  /** The record's key in its own collection. */
  readonly recordKey: string;
}

/** The time that search orders by: that of the record's lists, or one of two fixed times beyond the year 9999. */
const searchTime: Codec<Instant> = {
  schema: { bsonType: 'date' },
  encode: (value) => new Date(value),
  decode: (stored, path) =>
    stored instanceof Date && stored.getTime() > LATEST_INSTANT && stored.getTime() <= FIRST_TIME ? stored.getTime() : instant.decode(stored, path),
};

const placeFields = object({ repositoryRef: scopeRef, type: oneOf(SEARCH_TYPES), time: searchTime, place: text });

/** What a reader needs of an entry. Its keys stay in the database. */
export const PLACE_PROJECTION = { repositoryRef: 1, type: 1, time: 1, place: 1 } as const;

const entryFields = object({
  repositoryRef: scopeRef,
  type: oneOf(SEARCH_TYPES),
  time: searchTime,
  place: text,
  keys: list(text),
  sha: optional(sha),
});

/** The shape of the documents in `search_entries`. */
export const SEARCH_ENTRY_SCHEMA: BsonSchema = withTextId(entryFields.schema);

/** The shape of the documents in `search_words`. */
export const SEARCH_WORD_SCHEMA: BsonSchema = {
  bsonType: 'object',
  required: ['_id'],
  properties: { _id: text.schema, head: text.schema, title: { bsonType: 'number' }, other: { bsonType: 'number' } },
};

function withTextId(schema: BsonSchema): BsonSchema {
  const { properties, required } = schema as { readonly properties: object; readonly required: readonly string[] };
  return { ...schema, required: ['_id', ...required], properties: { _id: text.schema, ...properties } };
}

/** Where a record stands in search. */
export function placeOfRecord(record: SearchableRecord): EntryPlace {
  const [type, recordKey] = [searchTypeOf(record), keyOfIdentity(record)];
  return { type, recordKey, id: positionId(type, recordKey), time: searchTimeOf(record), repositoryRef: scopeOfRecord(record) };
}

export function scopeOfRecord(record: SearchableRecord): ScopeRef {
  if (record.kind === 'service') return NO_REPOSITORY;
  return record.kind === 'repository' ? record.repositoryRef : scopeOf(record);
}

function searchTimeOf(record: SearchableRecord): Instant {
  if (record.kind === 'service') return SERVICE_SEARCH_TIME;
  return record.kind === 'repository' ? REPOSITORY_SEARCH_TIME : timeOf(record);
}

export function toEntryDocument(record: SearchableRecord, words: WordsOfRecord, isTail: TailTest): StoredDocument {
  const place = placeOfRecord(record);
  const marks = marksOf(place.type);
  const keys = [...keysOf(marks.title, words.title, isTail), ...keysOf(marks.other, words.other, isTail)];
  const { type, recordKey, repositoryRef, time } = place;
  const entry = { _id: entryKey(type, recordKey), repositoryRef, type, time: new Date(time), place: placeOf(place) };
  if (record.kind !== 'commit') return { ...entry, keys };
  keys.push(shaKey(record.sha));
  return { ...entry, keys, sha: record.sha };
}

function keysOf(mark: KeyMark, words: ReadonlySet<string>, isTail: TailTest): string[] {
  const keys: string[] = [];
  const heads = new Set<string>();
  for (const word of words) {
    keys.push(wordKey(mark, word));
    const head = hasAllInTail(mark) || isTail(word) ? headOf(word) : null;
    if (head !== null) heads.add(head);
  }
  for (const head of heads) keys.push(tailKey(mark, head));
  return keys;
}

/** Total: what cannot be used is told, and never thrown. */
export function toEntryPlace(document: unknown): EntryPlace | BadValue {
  const decoded = placeFields.decode(document, '');
  if (decoded instanceof BadValue) return decoded;
  const id: unknown = isPlainObject(document) ? document['_id'] : undefined;
  const recordKey = typeof id === 'string' ? recordKeyOf(decoded.type, id) : null;
  if (recordKey === null) return badValue(id, '_id');
  const { type, time, repositoryRef } = decoded;
  const place: EntryPlace = { type, recordKey, id: positionId(type, recordKey), time, repositoryRef };
  return placeOf(place) === decoded.place ? place : new BadValue('place', 'wrong');
}
