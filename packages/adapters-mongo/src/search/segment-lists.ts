import { SEARCH_TYPES, type SearchType } from '@vitrine/core';
import type { Collection, Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { findDocuments } from '../reading/find-documents.js';
import { segmentList, segmentRef } from './segment-codecs.js';
import { toSegmentList, type SegmentList, type SegmentRef } from './segment-documents.js';

const NO_SEGMENTS: SegmentList = { revision: 0, segments: [] };

/** Which segments hold the entries of each type. What is not named here is not there for readers. */
export class SegmentLists {
  readonly #lists: Collection<StoredDocument>;
  readonly #prefix: string;

  /** @param prefix of the documents' ids: lists that are built anew stand beside those that are read */
  constructor(lists: Collection<StoredDocument>, prefix = '') {
    this.#lists = lists;
    this.#prefix = prefix;
  }

  /** Adds a segment to each list as its youngest run. Resolves with the lists as they are then, `null` for one that cannot be used. */
  async append(added: ReadonlyMap<SearchType, SegmentRef>): Promise<ReadonlyMap<SearchType, SegmentList | null>> {
    const operations = [...added].map(([type, ref]) => {
      const update: Document = { $push: { segments: segmentRef.encode(ref) }, $inc: { revision: 1 } };
      return { updateOne: { filter: { _id: this.#prefix + type }, update, upsert: true } };
    });
    await this.#lists.bulkWrite(operations, { ordered: false });
    const { documents } = await findDocuments(this.#lists, { _id: { $in: [...added.keys()].map((type) => this.#prefix + type) } });
    return new Map([...added.keys()].map((type) => [type, usable(documents.find(({ _id }) => _id === this.#prefix + type))]));
  }

  /** Resolves with whether the list was still of that revision, and is replaced. */
  async replace(type: SearchType, { revision, segments }: SegmentList): Promise<boolean> {
    const fields = segmentList.encode({ revision: revision + 1, segments }) as Document;
    return (await this.#lists.updateOne({ _id: this.#prefix + type, revision }, { $set: fields })).modifiedCount === 1;
  }

  async of(type: SearchType): Promise<SegmentList | null> {
    return usable((await this.#lists.findOne({ _id: this.#prefix + type })) ?? segmentList.encode(NO_SEGMENTS));
  }

  /** Puts a list in the place of another one, whatever it was. */
  async set(type: SearchType, segments: readonly SegmentRef[]): Promise<void> {
    const update: Document = { $set: { segments: segments.map((ref) => segmentRef.encode(ref)) }, $inc: { revision: 1 } };
    await this.#lists.updateOne({ _id: this.#prefix + type }, update, { upsert: true });
  }

  async remove(): Promise<void> {
    await this.#lists.deleteMany({ _id: { $in: SEARCH_TYPES.map((type) => this.#prefix + type) } });
  }
}

function usable(stored: unknown): SegmentList | null {
  const list = toSegmentList(stored);
  return list instanceof BadValue ? null : list;
}
