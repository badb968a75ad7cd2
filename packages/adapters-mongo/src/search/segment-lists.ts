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

/** The stored lists of the segments of each type. Readers see only segments that are in a list. */
export class SegmentLists {
  readonly #lists: ReadCollection;
  readonly #commits: Commits;
  readonly #prefix: string;

  /** @param prefix prefix of the documents' ids. A reindex uses it to store new lists next to the current ones */
  constructor(lists: ReadCollection, commits: Commits, prefix = '') {
    this.#lists = lists;
    this.#commits = commits;
    this.#prefix = prefix;
  }

  /** Appends a segment to each list as its youngest run, as part of a commit. */
  async append(into: Into, added: ReadonlyMap<SearchType, SegmentRef>): Promise<void> {
    const operations = [...added].map(([type, ref]) => {
      const update: Document = { $push: { segments: segmentRef.encode(ref) }, $inc: { revision: 1 } };
      return { updateOne: { filter: { _id: this.#prefix + type }, update, upsert: true } };
    });
    await into(LISTS).write(operations);
  }

  /** Reads the current lists of some types; `null` for an invalid list. */
  async some(types: readonly SearchType[]): Promise<ReadonlyMap<SearchType, SegmentList | null>> {
    const { documents } = await findDocuments(this.#lists, { _id: { $in: types.map((type) => this.#prefix + type) } });
    return new Map(types.map((type) => [type, usable(documents.find(({ _id }) => _id === this.#prefix + type))]));
  }

  /** Replaces a list if it still has this revision. Resolves with whether it was replaced. */
  async replace(type: SearchType, { revision, segments }: SegmentList): Promise<boolean> {
    const fields = segmentList.encode({ revision: revision + 1, segments }) as Document;
    return this.#commits.commit((into) => into(LISTS).update({ _id: this.#prefix + type, revision }, { $set: fields }));
  }

  async of(type: SearchType): Promise<SegmentList | null> {
    return usable((await this.#lists.findOne({ _id: this.#prefix + type })) ?? segmentList.encode(NO_SEGMENTS));
  }

  /** Replaces a list, whatever its revision is. */
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
