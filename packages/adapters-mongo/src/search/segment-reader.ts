import type { SearchType } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import type { CollectionName } from '../collections.js';
import { BadValue } from '../documents/codec.js';
import { decoded } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import {
  toDirectory,
  toRowBlock,
  toSegmentList,
  toTermBlock,
  type Directory,
  type RowBlock,
  type SegmentRef,
  type TermBlock,
} from './segment-documents.js';
import { SegmentView } from './segment-view.js';

/** Bytes of directories that are kept: those of some tens of millions of entries. */
const KEPT_BYTES = 16_777_216;
const BYTES_OF_BLOCK = 32;

/** Directories of segments by their ids. They never change. */
export type DirectoryCache = LRUCache<string, Directory>;

export function directoryCache(): DirectoryCache {
  return new LRUCache({ maxSize: KEPT_BYTES, sizeCalculation: ({ terms, times }) => 1 + BYTES_OF_BLOCK * (terms.length + times.length) });
}

/** A document of a segment is not there any more: the segment has been merged with others since its list was read. */
export class SegmentsChangedError extends Error {}

/** What one search reads of the segments. What cannot be used is told and left out. */
export class SegmentReader {
  readonly #reading: MongoReading;
  readonly #directories: DirectoryCache;
  readonly #options: OperationOptions;
  readonly #mayLack: boolean;

  /** @param mayLack whether documents that are not there are left out, and not a reason to begin anew */
  constructor(reading: MongoReading, directories: DirectoryCache, options: OperationOptions, mayLack: boolean) {
    this.#reading = reading;
    this.#directories = directories;
    this.#options = options;
    this.#mayLack = mayLack;
  }

  /** The segments of some types: one command, and one more when some of them are new to this process. */
  async views(types: readonly SearchType[]): Promise<readonly SegmentView[]> {
    const lists = await this.#read('search_segments', types, toSegmentList, true);
    const refs = types.flatMap((type) => (lists.get(type)?.segments ?? []).map((ref): [SearchType, SegmentRef] => [type, ref]));
    const unknown = refs.map(([, { id }]) => id).filter((id) => !this.#directories.has(id));
    const read = unknown.length === 0 ? new Map<string, Directory>() : await this.#read('search_blocks', unknown, toDirectory, this.#mayLack);
    for (const [id, directory] of read) this.#directories.set(id, directory);
    return refs.flatMap(([type, ref]) => {
      const directory = read.get(ref.id) ?? this.#directories.get(ref.id);
      return directory === undefined ? [] : [new SegmentView(type, ref, directory)];
    });
  }

  termBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, TermBlock>> {
    return this.#read('search_blocks', ids, toTermBlock, this.#mayLack);
  }

  rowBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, RowBlock>> {
    return this.#read('search_blocks', ids, toRowBlock, this.#mayLack);
  }

  async #read<Value extends object>(
    name: CollectionName,
    ids: readonly string[],
    decode: (document: Document) => Value | BadValue,
    mayLack: boolean,
  ): Promise<ReadonlyMap<string, Value>> {
    if (ids.length === 0) return new Map();
    const found = await findDocuments(
      this.#reading.collections.of(name),
      { _id: { $in: [...ids] } },
      { ...this.#options, batchSize: ids.length + 1 },
    );
    if (!mayLack && found.documents.length < ids.length) throw new SegmentsChangedError();
    return new Map(
      decoded('search-block', found, this.#reading.monitor, (document): [string, Value] | BadValue => {
        const value = decode(document);
        return value instanceof BadValue ? value : [String(document['_id']), value];
      }),
    );
  }
}
