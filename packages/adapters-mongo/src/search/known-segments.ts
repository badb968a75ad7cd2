import type { ApprovedRepositories, SearchType } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { toDirectory, toEntryBlock, toTermBlock } from './segment-documents.js';
import { postedBy, type Directory, type EntryBlock, type TermBlock } from './segments/blocks.js';
import { tagsOf } from './segments/posting.js';
import type { SegmentView } from './segments/segment-view.js';

const MEBIBYTE = 1_048_576;

/** A cache of documents of one shape, by id. Documents of segments never change. The least recently used ones are dropped. */
export interface KnownDocuments<Value extends object> {
  readonly remembered: LRUCache<string, Value>;
  readonly decode: (document: Document) => Value | BadValue;
}

/** The caches for one set of approved repositories. */
export interface ApprovedSegments {
  readonly directories: KnownDocuments<Directory>;
  /** Without the postings of repositories that are not approved. */
  readonly terms: KnownDocuments<TermBlock>;
  /** The document ids of a segment that are hits of a tier for some words. */
  readonly matches: LRUCache<string, Uint16Array>;
  readonly entries: KnownDocuments<EntryBlock>;
  /** The segments of each type when they were last read. The lists may have changed since. */
  readonly views: Map<SearchType, readonly SegmentView[]>;
}

/** What a process caches of segments. */
export class KnownSegments {
  /** Enough for the segments of some tens of millions of entries. */
  readonly #directories = documents(toDirectory, 16, ({ terms, times }) => 32 * (terms.length + times.length));
  /** The same words are searched again while a user types, and for each page. */
  readonly #approved = new LRUCache<ApprovedRepositories, Pick<ApprovedSegments, 'terms' | 'matches'>>({ max: 2 });
  readonly #entries = documents(toEntryBlock, 32, ({ keys }) => 200 * keys.length);
  readonly #views = new Map<SearchType, readonly SegmentView[]>();

  of(approved: ApprovedRepositories): ApprovedSegments {
    const known = this.#approved.get(approved) ?? { terms: approvedTerms(approved), matches: remembering(8, ({ byteLength }) => byteLength) };
    this.#approved.set(approved, known);
    return { ...known, directories: this.#directories, entries: this.#entries, views: this.#views };
  }
}

function approvedTerms({ scopes }: ApprovedRepositories): KnownDocuments<TermBlock> {
  const tags = tagsOf(scopes);
  const decode = (document: Document) => {
    const block = toTermBlock(document);
    return block instanceof BadValue ? block : postedBy(tags, block);
  };
  return documents(decode, 64, ({ terms, ends, postings }) => 40 * terms.length + ends.byteLength + postings.byteLength);
}

function documents<Value extends object>(
  decode: (document: Document) => Value | BadValue,
  mebibytes: number,
  bytesOf: (value: Value) => number,
): KnownDocuments<Value> {
  return { decode, remembered: remembering(mebibytes, bytesOf) };
}

const BYTES_OF_OBJECTS = 400;

/** @param mebibytes the maximum size of the cache */
function remembering<Value extends object>(mebibytes: number, bytesOf: (value: Value) => number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: mebibytes * MEBIBYTE, sizeCalculation: (value) => BYTES_OF_OBJECTS + bytesOf(value) });
}
