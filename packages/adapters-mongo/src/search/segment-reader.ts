import { quotable, type SearchType } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { decoded } from '../reading/decoding.js';
import { aggregateDocuments, findDocuments, type FoundDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import type { KnownDocuments, ApprovedSegments } from './known-segments.js';
import { toSegmentList } from './segment-documents.js';
import type { SearchedSegments } from './segments/block-store.js';
import type { EntryBlock, TermBlock } from './segments/blocks.js';
import { SegmentView } from './segments/segment-view.js';
import type { SegmentList, SegmentRef } from './segments/segment.js';

/** A document of a segment no longer exists: since the list was read, the segment was merged with others. */
export class SegmentsChangedError extends Error {}

/** Reads segments for one search. Invalid documents are reported and left out. */
export class SegmentReader implements SearchedSegments {
  readonly #reading: MongoReading;
  readonly #known: ApprovedSegments;
  readonly #options: OperationOptions;
  readonly #mayLack: boolean;

  /** @param mayLack whether missing documents are left out; if not, the search must restart */
  constructor(reading: MongoReading, known: ApprovedSegments, options: OperationOptions, mayLack: boolean) {
    this.#reading = reading;
    this.#known = known;
    this.#options = options;
    this.#mayLack = mayLack;
  }

  /** Cached for further pages and other clients with the same words. */
  get matches(): ApprovedSegments['matches'] {
    return this.#known.matches;
  }

  known(types: readonly SearchType[]): readonly SegmentView[] {
    return types.flatMap((type) => this.#known.views.get(type) ?? []);
  }

  /** Reads the lists and the first blocks with one command, and directories with a second one if some segments are new to this process. */
  async open(types: readonly SearchType[], known: readonly SegmentView[], firstBlocks: ReadonlySet<string>): Promise<readonly SegmentView[]> {
    const { views, terms } = this.#known;
    const guessed = [...firstBlocks].filter((id) => !terms.remembered.has(id));
    const found = await this.#listsAnd(types, guessed);
    this.#remember(terms, this.#decoded(found, guessed, terms.decode));
    const stored = new Map(found.documents.map((document) => [document['_id'] as unknown, document]));
    const changed = types.filter((type) => !isOf(stored.get(type), views.get(type) ?? []));
    if (changed.length === 0) return known;
    const unchanged = new Map(types.map((type) => [type, views.get(type) ?? []]));
    const read = await this.#viewsOf(changed, this.#decoded(found, changed, toSegmentList));
    for (const [type, own] of read) views.set(type, own);
    return types.flatMap((type) => read.get(type) ?? unchanged.get(type) ?? []);
  }

  async #viewsOf(types: readonly SearchType[], lists: ReadonlyMap<string, SegmentList>): Promise<ReadonlyMap<SearchType, readonly SegmentView[]>> {
    const refsOf = (type: SearchType) => lists.get(type)?.segments ?? [];
    const ids = types.flatMap(refsOf).map(({ id }) => id);
    const directories = await this.#read(this.#known.directories, ids);
    const viewOf = (type: SearchType, ref: SegmentRef) => {
      const directory = directories.get(ref.id);
      return directory === undefined ? [] : [new SegmentView(type, ref, directory)];
    };
    return new Map(types.map((type) => [type, refsOf(type).flatMap((ref) => viewOf(type, ref))]));
  }

  #listsAnd(types: readonly SearchType[], guessed: readonly string[]): Promise<FoundDocuments> {
    const { collections } = this.#reading;
    const withBlocks = { $unionWith: { coll: collections.of('search_blocks').collectionName, pipeline: [byIds(guessed)] } };
    const pipeline = guessed.length === 0 ? [byIds(types)] : [byIds(types), withBlocks];
    return aggregateDocuments(collections.of('search_segments'), pipeline, this.#options);
  }

  termBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, TermBlock>> {
    return this.#read(this.#known.terms, ids);
  }

  entryBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, EntryBlock>> {
    return this.#read(this.#known.entries, ids);
  }

  async #read<Value extends object>(documents: KnownDocuments<Value>, ids: readonly string[]): Promise<ReadonlyMap<string, Value>> {
    const values = new Map<string, Value>();
    for (const id of ids) {
      const value = documents.remembered.get(id);
      if (value !== undefined) values.set(id, value);
    }
    const unknown = ids.filter((id) => !values.has(id));
    if (unknown.length === 0) return values;
    const found = await findDocuments(this.#reading.collections.of('search_blocks'), { _id: { $in: unknown } }, this.#options);
    this.#tellMissing(unknown, found);
    const read = this.#decoded(found, unknown, documents.decode);
    this.#remember(documents, read);
    return new Map([...values, ...read]);
  }

  #tellMissing(ids: readonly string[], { documents }: FoundDocuments): void {
    if (documents.length === ids.length) return;
    if (!this.#mayLack) throw new SegmentsChangedError();
    const found = new Set(documents.map(({ _id: id }) => String(id)));
    for (const id of ids) if (!found.has(id)) this.#reading.monitor.quarantined('search-block', quotable(id), 'missing');
  }

  #remember<Value extends object>({ remembered }: KnownDocuments<Value>, values: ReadonlyMap<string, Value>): void {
    for (const [id, value] of values) remembered.set(id, value);
  }

  /** Decodes the documents with some ids. */
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

/** Whether a stored list names exactly these segments. */
function isOf(stored: Document | undefined, views: readonly SegmentView[]): boolean {
  const segments: unknown = stored?.['segments'] ?? [];
  return (
    Array.isArray(segments) && segments.length === views.length && segments.every((ref: Document | null, index) => ref?.['id'] === views[index]?.id)
  );
}

function byIds(ids: readonly string[]): Document {
  return { $match: { _id: { $in: [...ids] } } };
}
