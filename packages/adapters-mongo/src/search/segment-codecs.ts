import { LATEST_INSTANT, REPOSITORY_SEARCH_TIME, type Instant } from '@vitrine/core';
import { Binary } from 'mongodb';
import { BadValue, badValue, object, type BsonSchema, type Codec } from '../documents/codec.js';
import { schemaOf } from '../documents/document-spec.js';
import { instant, list, optional, text, whole } from '../documents/values.js';
import { MAX_ROWS } from './posting.js';

/** The time that search orders by: that of the record's lists, or one of two fixed times beyond the year 9999. */
const searchTime: Codec<Instant> = {
  schema: { bsonType: 'date' },
  encode: (value) => new Date(value),
  decode: (stored, path) =>
    stored instanceof Date && stored.getTime() > LATEST_INSTANT && stored.getTime() <= REPOSITORY_SEARCH_TIME
      ? stored.getTime()
      : instant.decode(stored, path),
};

/** Texts in one, with a separator between two: that is read many times faster than a list. */
function joined(separator: string): Codec<readonly string[]> {
  return {
    schema: { bsonType: 'string' },
    encode: (values) => values.join(separator),
    decode: (stored, path) => (typeof stored === 'string' ? (stored === '' ? [] : stored.split(separator)) : badValue(stored, path)),
  };
}

/** Neither terms nor refs hold a blank, and keys hold no line feed. */
const [words, lines] = [joined(' '), joined('\n')];

/** Numbers as the bytes of a typed array, the lowest first. */
function packed<Numbers extends Uint32Array | Float64Array>(make: {
  new (bytes: ArrayBuffer): Numbers;
  readonly BYTES_PER_ELEMENT: number;
}): Codec<Numbers> {
  return {
    schema: { bsonType: 'binData' },
    encode: (values) => new Binary(new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
    decode: (stored, path) =>
      // A copy, because what the driver gives need not begin where such numbers may.
      stored instanceof Binary && stored.position % make.BYTES_PER_ELEMENT === 0
        ? new make(new Uint8Array(stored.buffer.subarray(0, stored.position)).buffer)
        : badValue(stored, path),
  };
}

/** Whole numbers below 2^32. */
const numbers: Codec<Uint32Array> = packed(Uint32Array);
/** Times in milliseconds. */
const times: Codec<Float64Array> = packed(Float64Array);

/** A list of which every element has to be sound: what is left out of it would be found no more. */
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

export const segmentRef = object({ id: text, run: text, rows: whole(1, MAX_ROWS), newest: searchTime, oldest: searchTime });

/** Which segments hold the entries of a type. */
export const segmentList = object({
  revision: whole(0),
  /** The oldest first, by when they were written; those of one run together. */
  segments: wholeList(segmentRef),
});

/** What stands where in a segment. */
export const directory = object({
  /** The first term of each block of terms. */
  terms: words,
  /** How many terms and how many postings there are in each of them, one after the other. */
  sizes: numbers,
  /** The time of the first row of each block of rows. */
  times: wholeList(searchTime),
  /** The record's key of that row, where the row before it stands at the same time; else empty. */
  keys: wholeList(text),
});

/** Terms of a segment, in their order, with their postings. */
export const termBlock = object({
  terms: words,
  /** For each term where its postings end. */
  ends: numbers,
  postings: numbers,
});

/** Rows of a segment, in their order. */
export const rowBlock = object({
  times,
  keys: lines,
  scopes: words,
  /** Those that are tombstones, by their index here. */
  gone: optional(wholeList(whole(0, MAX_ROWS))),
});

/** The shape of the documents in `search_segments`. */
export const SEARCH_SEGMENTS_SCHEMA: BsonSchema = schemaOf(segmentList.schema);

/** The shape of the documents in `search_blocks`, of which there are three. */
export const SEARCH_BLOCK_SCHEMA: BsonSchema = {
  bsonType: 'object',
  required: ['_id'],
  properties: { _id: text.schema },
  anyOf: [directory.schema, termBlock.schema, rowBlock.schema],
};
