import { LATEST_INSTANT, type Instant } from '@vitrine/core';
import { Binary } from 'mongodb';
import { BadValue, badValue, object, type BsonSchema, type Codec } from '../documents/codec.js';
import { instant, list, optional, text, whole } from '../documents/values.js';
import { FIRST_TIME } from './entry-place.js';
import { MAX_ROWS } from './posting.js';

/** The time that search orders by: that of the record's lists, or one of two fixed times beyond the year 9999. */
const searchTime: Codec<Instant> = {
  schema: { bsonType: 'date' },
  encode: (value) => new Date(value),
  decode: (stored, path) =>
    stored instanceof Date && stored.getTime() > LATEST_INSTANT && stored.getTime() <= FIRST_TIME ? stored.getTime() : instant.decode(stored, path),
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

/** Whole numbers below 2^32, each in four bytes, the lowest first. */
const numbers: Codec<Uint32Array> = {
  schema: { bsonType: 'binData' },
  encode: (values) => new Binary(new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  decode: (stored, path) =>
    stored instanceof Binary && stored.position % Uint32Array.BYTES_PER_ELEMENT === 0
      ? new Uint32Array(bytesOf(stored).buffer)
      : badValue(stored, path),
};

/** Times in milliseconds, each in the eight bytes of a double, the lowest first. */
const times: Codec<Float64Array> = {
  schema: { bsonType: 'binData' },
  encode: (values) => new Binary(new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  decode: (stored, path) =>
    stored instanceof Binary && stored.position % Float64Array.BYTES_PER_ELEMENT === 0
      ? new Float64Array(bytesOf(stored).buffer)
      : badValue(stored, path),
};

/** A copy, because what the driver gives need not begin where such numbers may. */
function bytesOf({ buffer, position }: Binary): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer.subarray(0, position));
}

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
export const SEARCH_SEGMENTS_SCHEMA: BsonSchema = withTextId(segmentList.schema);

/** The shape of the documents in `search_blocks`, of which there are three. */
export const SEARCH_BLOCK_SCHEMA: BsonSchema = {
  bsonType: 'object',
  required: ['_id'],
  properties: { _id: text.schema },
  anyOf: [directory.schema, termBlock.schema, rowBlock.schema],
};

function withTextId(schema: BsonSchema): BsonSchema {
  const { properties, required } = schema as { readonly properties: object; readonly required: readonly string[] };
  return { ...schema, required: ['_id', ...required], properties: { _id: text.schema, ...properties } };
}
