import { SEARCH_TYPES, type SearchType } from '@vitrine/core';
import type { Document } from 'mongodb';
import type { ReadCollection } from '../collections.js';
import { BadValue } from '../documents/codec.js';
import { findDocuments } from '../reading/find-documents.js';
import type { Commits, Into } from '../writers/commits.js';
import { segmentList, segmentRef } from './segment-codecs.js';
import { toSegmentList, type SegmentList, type SegmentRef } from './segment-documents.js';

const LISTS = 'search_segments';
const NO_SEGMENTS: SegmentList = { revision: 0, segments: [] };

/** Which segments hold the entries of each type. What is not named here is not there for readers. */
export class SegmentLists {
  readonly #lists: ReadCollection;
  readonly #commits: Commits;
  readonly #prefix: string;

  /** @param prefix of the documents' ids: lists that are built anew stand beside those that are read */
  constructor(lists: ReadCollection, commits: Commits, prefix = '') {
    this.#lists = lists;
    this.#commits = commits;
    this.#prefix = prefix;
  }

  /** Adds a segment to each list as its youngest run, as a part of a commit. */
  async append(into: Into, added: ReadonlyMap<SearchType, SegmentRef>): Promise<void> {
    const operations = [...added].map(([type, ref]) => {
      const update: Document = { $push: { segments: segmentRef.encode(ref) }, $inc: { revision: 1 } };
      return { updateOne: { filter: { _id: this.#prefix + type }, update, upsert: true } };
    });
    await into(LISTS).write(operations);
  }

  /** Some lists as they are now, `null` for one that cannot be used. */
  async some(types: readonly SearchType[]): Promise<ReadonlyMap<SearchType, SegmentList | null>> {
    const { documents } = await findDocuments(this.#lists, { _id: { $in: types.map((type) => this.#prefix + type) } });
    return new Map(types.map((type) => [type, usable(documents.find(({ _id }) => _id === this.#prefix + type))]));
  }

  /** Resolves with whether the list was still of that revision, and is replaced. */
  async replace(type: SearchType, { revision, segments }: SegmentList): Promise<boolean> {
    const fields = segmentList.encode({ revision: revision + 1, segments }) as Document;
    return this.#commits.commit((into) => into(LISTS).update({ _id: this.#prefix + type, revision }, { $set: fields }));
  }

  async of(type: SearchType): Promise<SegmentList | null> {
    return usable((await this.#lists.findOne({ _id: this.#prefix + type })) ?? segmentList.encode(NO_SEGMENTS));
  }

  /** Puts a list in the place of another one, whatever it was. */
  async set(type: SearchType, segments: readonly SegmentRef[]): Promise<void> {
    const update: Document = { $set: { segments: segments.map((ref) => segmentRef.encode(ref)) }, $inc: { revision: 1 } };
    await this.#commits.commit((into) => into(LISTS).update({ _id: this.#prefix + type }, update, { upsert: true }));
  }

  async remove(): Promise<void> {
    await this.#commits.commit((into) => into(LISTS).remove({ _id: { $in: SEARCH_TYPES.map((type) => this.#prefix + type) } }));
  }
}

function usable(stored: unknown): SegmentList | null {
  const list = toSegmentList(stored);
  return list instanceof BadValue ? null : list;
}
