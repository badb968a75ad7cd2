import { LATEST_INSTANT, REPOSITORY_SEARCH_TIME, type Instant } from '@vitrine/core';
import { Binary } from 'mongodb';
import { BadValue, badValue, object, type BsonSchema, type Codec } from '../documents/codec.js';
import { schemaOf } from '../documents/document-spec.js';
import { instant, list, optional, text, whole } from '../documents/values.js';
import { MAX_ENTRIES } from './segments/posting.js';

/** The time that search orders by: the time by which the record's lists are sorted, or one of two fixed times after the year 9999. */
const searchTime: Codec<Instant> = {
  schema: { bsonType: 'date' },
  encode: (value) => new Date(value),
  decode: (stored, path) =>
    stored instanceof Date && stored.getTime() > LATEST_INSTANT && stored.getTime() <= REPOSITORY_SEARCH_TIME
      ? stored.getTime()
      : instant.decode(stored, path),
};

/** A list of texts, stored as one text with separators. It is read many times faster than a list. */
function joined(separator: string): Codec<readonly string[]> {
  return {
    schema: { bsonType: 'string' },
    encode: (values) => values.join(separator),
    decode: (stored, path) => (typeof stored === 'string' ? (stored === '' ? [] : stored.split(separator)) : badValue(stored, path)),
  };
}

/** Terms and refs contain no space, and keys contain no line feed. */
const [words, lines] = [joined(' '), joined('\n')];

/** A typed array of numbers, stored as its bytes, little endian. */
function packed<Numbers extends Uint32Array | Float64Array>(make: {
  new (bytes: ArrayBuffer): Numbers;
  readonly BYTES_PER_ELEMENT: number;
}): Codec<Numbers> {
  return {
    schema: { bsonType: 'binData' },
    encode: (values) => new Binary(new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
    decode: (stored, path) =>
      // A typed array must start at an aligned position, and the driver does not guarantee that. So the bytes are copied if needed.
      stored instanceof Binary && stored.position % make.BYTES_PER_ELEMENT === 0
        ? new make(new Uint8Array(stored.buffer.subarray(0, stored.position)).buffer)
        : badValue(stored, path),
  };
}

/** Integers from 0 to 2^32 - 1. */
const numbers: Codec<Uint32Array> = packed(Uint32Array);
/** Times in milliseconds. */
const times: Codec<Float64Array> = packed(Float64Array);

/** A list in which every element must be valid, because a search would never find what is left out. */
function wholeList<Value>(codec: Codec<Value>): Codec<readonly Value[]> {
  const lenient = list(codec);
  return {
    schema: lenient.schema,
    encode: (values) => lenient.encode(values),
    decode(stored, path) {
      const values = lenient.decode(stored, path);
      return values instanceof BadValue || !Array.isArray(stored) || values.length !== stored.length ? badValue(stored, path) : values;
    },
  };
}

export const segmentRef = object({ id: text, run: text, rows: whole(1, MAX_ENTRIES), newest: searchTime, oldest: searchTime });

/** The list of segments that contain the entries of a type. */
export const segmentList = object({
  revision: whole(0),
  segments: wholeList(segmentRef),
});

/** The stored shape of a `Directory`. */
export const directory = object({
  terms: words,
  sizes: numbers,
  times: wholeList(searchTime),
  keys: wholeList(text),
});

/** The stored shape of a `TermBlock`. */
export const termBlock = object({
  terms: words,
  ends: numbers,
  postings: numbers,
});

/** The stored shape of an `EntryBlock`. */
export const entryBlock = object({
  times,
  keys: lines,
  scopes: words,
  gone: optional(wholeList(whole(0, MAX_ENTRIES))),
});

/** The shape of the documents in `search_segments`. */
export const SEARCH_SEGMENTS_SCHEMA: BsonSchema = schemaOf(segmentList.schema);

/** The three shapes of the documents in `search_blocks`. */
export const SEARCH_BLOCK_SCHEMA: BsonSchema = {
  bsonType: 'object',
  required: ['_id'],
  properties: { _id: text.schema },
  anyOf: [directory.schema, termBlock.schema, entryBlock.schema],
};
