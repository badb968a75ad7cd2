import type { SearchType } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import type { BadValue } from '../documents/codec.js';
import { toDirectory, toRowBlock, toTermBlock, type Directory, type RowBlock, type TermBlock } from './segment-documents.js';
import type { SegmentView } from './segment-view.js';

const MEBIBYTE = 1_048_576;

/** Documents of one shape, by their ids. They never change, so those that were asked for last are remembered. */
export interface KnownDocuments<Value extends object> {
  readonly remembered: LRUCache<string, Value>;
  readonly decode: (document: Document) => Value | BadValue;
}

/** What a process remembers of segments. */
export interface KnownSegments {
  /** Those of some tens of millions of entries. */
  readonly directories: KnownDocuments<Directory>;
  /** Words are asked for again: while somebody types, and page after page. */
  readonly terms: KnownDocuments<TermBlock>;
  readonly rows: KnownDocuments<RowBlock>;
  /** By type, as they were read last; they may have changed since. */
  readonly views: Map<SearchType, readonly SegmentView[]>;
}

export function noSegments(): KnownSegments {
  return {
    directories: documents(toDirectory, 16, ({ terms, times }) => 32 * (terms.length + times.length)),
    terms: documents(toTermBlock, 64, ({ terms, ends, postings }) => 40 * terms.length + ends.byteLength + postings.byteLength),
    rows: documents(toRowBlock, 8, ({ keys }) => 200 * keys.length),
    views: new Map(),
  };
}

/** @param mebibytes that are kept at most */
function documents<Value extends object>(
  decode: (document: Document) => Value | BadValue,
  mebibytes: number,
  bytesOf: (value: Value) => number,
): KnownDocuments<Value> {
  return { decode, remembered: new LRUCache({ maxSize: mebibytes * MEBIBYTE, sizeCalculation: (value) => BYTES_OF_OBJECTS + bytesOf(value) }) };
}

const BYTES_OF_OBJECTS = 400;
