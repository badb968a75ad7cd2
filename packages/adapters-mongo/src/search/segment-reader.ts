import type { SearchType } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { decoded } from '../reading/decoding.js';
import { aggregateDocuments, findDocuments, type FoundDocuments } from '../reading/find-documents.js';
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
import type { SegmentList } from './segment-lists.js';
import { SegmentView } from './segment-view.js';

/** Bytes of directories that are kept: those of some tens of millions of entries. */
const KEPT_BYTES = 16_777_216;
const BYTES_OF_BLOCK = 32;

/** What a process remembers of segments. */
export interface KnownSegments {
  /** By their ids. They never change. */
  readonly directories: LRUCache<string, Directory>;
  /** As they were read last; they may have changed since. */
  readonly lists: Map<string, SegmentList>;
}

export function noSegments(): KnownSegments {
  const sizeCalculation = ({ terms, times }: Directory) => 1 + BYTES_OF_BLOCK * (terms.length + times.length);
  return { directories: new LRUCache({ maxSize: KEPT_BYTES, sizeCalculation }), lists: new Map() };
}

/** The segments of some types, and blocks of their terms. */
export interface OpenedSegments {
  readonly views: readonly SegmentView[];
  readonly blocks: ReadonlyMap<string, TermBlock>;
}

/** A document of a segment is not there any more: the segment has been merged with others since its list was read. */
export class SegmentsChangedError extends Error {}

/** What one search reads of the segments. What cannot be used is told and left out. */
export class SegmentReader {
  readonly #reading: MongoReading;
  readonly #known: KnownSegments;
  readonly #options: OperationOptions;
  readonly #mayLack: boolean;

  /** @param mayLack whether documents that are not there are left out, and not a reason to begin anew */
  constructor(reading: MongoReading, known: KnownSegments, options: OperationOptions, mayLack: boolean) {
    this.#reading = reading;
    this.#known = known;
    this.#options = options;
    this.#mayLack = mayLack;
  }

  /**
   * One command, and one more when some of the segments are new to this process.
   *
   * @param firstBlocks those that will be read first, given some segments: if the lists are as they were last, they come with them
   */
  async open(types: readonly SearchType[], firstBlocks: (views: readonly SegmentView[]) => readonly string[]): Promise<OpenedSegments> {
    const collections = this.#reading.collections;
    const guessed = firstBlocks(viewsOf(refsIn(types, this.#known.lists), this.#known.directories));
    const withBlocks = { $unionWith: { coll: collections.of('search_blocks').collectionName, pipeline: [byIds(guessed)] } };
    const pipeline = guessed.length === 0 ? [byIds(types)] : [byIds(types), withBlocks];
    const found = await aggregateDocuments(collections.of('search_segments'), pipeline, this.#options);
    const [lists, blocks] = [this.#decoded(found, types, toSegmentList), this.#decoded(found, guessed, toTermBlock)];
    for (const [type, list] of lists) this.#known.lists.set(type, list);
    const refs = refsIn(types, lists);
    return { views: viewsOf(refs, await this.#directoriesOf(refs)), blocks };
  }

  async #directoriesOf(refs: readonly TypedRef[]): Promise<ReadonlyMap<string, Directory>> {
    const directories = new Map<string, Directory>();
    for (const { ref } of refs) {
      const known = this.#known.directories.get(ref.id);
      if (known !== undefined) directories.set(ref.id, known);
    }
    const unknown = refs.map(({ ref }) => ref.id).filter((id) => !directories.has(id));
    for (const [id, directory] of await this.#read(unknown, toDirectory)) {
      directories.set(id, directory);
      this.#known.directories.set(id, directory);
    }
    return directories;
  }

  termBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, TermBlock>> {
    return this.#read(ids, toTermBlock);
  }

  rowBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, RowBlock>> {
    return this.#read(ids, toRowBlock);
  }

  async #read<Value extends object>(ids: readonly string[], decode: (document: Document) => Value | BadValue): Promise<ReadonlyMap<string, Value>> {
    if (ids.length === 0) return new Map();
    const page = { ...this.#options, batchSize: ids.length + 1 };
    const found = await findDocuments(this.#reading.collections.of('search_blocks'), { _id: { $in: [...ids] } }, page);
    if (!this.#mayLack && found.documents.length < ids.length) throw new SegmentsChangedError();
    return this.#decoded(found, ids, decode);
  }

  /** What those with some ids mean. */
  #decoded<Value extends object>(
    { documents, damaged }: FoundDocuments,
    ids: readonly string[],
    decode: (document: Document) => Value | BadValue,
  ): ReadonlyMap<string, Value> {
    const wanted = new Set(ids);
    const found = { documents: documents.filter(({ _id: id }) => wanted.has(String(id))), damaged };
    return new Map(
      decoded('search-block', found, this.#reading.monitor, (document): [string, Value] | BadValue => {
        const value = decode(document);
        return value instanceof BadValue ? value : [String(document['_id']), value];
      }),
    );
  }
}

interface TypedRef {
  readonly type: SearchType;
  readonly ref: SegmentRef;
}

function refsIn(types: readonly SearchType[], lists: Pick<Map<string, SegmentList>, 'get'>): readonly TypedRef[] {
  return types.flatMap((type) => (lists.get(type)?.segments ?? []).map((ref) => ({ type, ref })));
}

function viewsOf(refs: readonly TypedRef[], directories: Pick<Map<string, Directory>, 'get'>): readonly SegmentView[] {
  return refs.flatMap(({ type, ref }) => {
    const directory = directories.get(ref.id);
    return directory === undefined ? [] : [new SegmentView(type, ref, directory)];
  });
}

function byIds(ids: readonly string[]): Document {
  return { $match: { _id: { $in: [...ids] } } };
}
