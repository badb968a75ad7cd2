import { quotable, type SearchType } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { decoded } from '../reading/decoding.js';
import { aggregateDocuments, findDocuments, type FoundDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import type { KnownDocuments, ApprovedSegments } from './known-segments.js';
import { toSegmentList, type RowBlock, type SegmentList, type SegmentRef, type TermBlock } from './segment-documents.js';
import { SegmentView } from './segment-view.js';

/** A document of a segment is not there any more: the segment has been merged with others since its list was read. */
export class SegmentsChangedError extends Error {}

/** What one search reads of the segments. What cannot be used is told and left out. */
export class SegmentReader {
  readonly #reading: MongoReading;
  readonly #known: ApprovedSegments;
  readonly #options: OperationOptions;
  readonly #mayLack: boolean;

  /** @param mayLack whether documents that are not there are left out, and not a reason to begin anew */
  constructor(reading: MongoReading, known: ApprovedSegments, options: OperationOptions, mayLack: boolean) {
    this.#reading = reading;
    this.#known = known;
    this.#options = options;
    this.#mayLack = mayLack;
  }

  /** Rows of segments that hold the words of a query, which another page of it, or another visitor, asks for again. */
  get matches(): ApprovedSegments['matches'] {
    return this.#known.matches;
  }

  /** The segments of some types as they were read last. */
  known(types: readonly SearchType[]): readonly SegmentView[] {
    return types.flatMap((type) => this.#known.views.get(type) ?? []);
  }

  /**
   * The segments of some types: one command, and one more when some are new to this process.
   *
   * @param known the same list is given back when it is still right
   * @param firstBlocks those that will be read first if it is: they come with the lists
   */
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

  rowBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, RowBlock>> {
    return this.#read(this.#known.rows, ids);
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

/** Whether a stored list names just these segments. */
function isOf(stored: Document | undefined, views: readonly SegmentView[]): boolean {
  const segments: unknown = stored?.['segments'] ?? [];
  return (
    Array.isArray(segments) && segments.length === views.length && segments.every((ref: Document | null, index) => ref?.['id'] === views[index]?.id)
  );
}

function byIds(ids: readonly string[]): Document {
  return { $match: { _id: { $in: [...ids] } } };
}
