import { SEARCH_TYPES, type SearchType } from '@vitrine/core';
import type { Document } from 'mongodb';
import type { ReadCollection } from '../collections.js';
import { BadValue } from '../documents/codec.js';
import type { Commits, Into } from '../writers/commits.js';
import { segmentList, segmentRef } from './segment-codecs.js';
import { toSegmentList } from './segment-documents.js';
import type { SegmentList, SegmentRef } from './segments/segment.js';

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

  /** Reads the current list of a type; `null` if it is invalid. */
  async of(type: SearchType): Promise<SegmentList | null> {
    const list = toSegmentList((await this.#lists.findOne({ _id: this.#prefix + type })) ?? segmentList.encode(NO_SEGMENTS));
    return list instanceof BadValue ? null : list;
  }

  /** Appends a segment to each list as its youngest run, as part of a commit. */
  async append(into: Into, added: ReadonlyMap<SearchType, SegmentRef>): Promise<void> {
    const operations = [...added].map(([type, ref]) => {
      const update: Document = { $push: { segments: segmentRef.encode(ref) }, $inc: { revision: 1 } };
      return { updateOne: { filter: { _id: this.#prefix + type }, update, upsert: true } };
    });
    await into(LISTS).write(operations);
  }

  /**
   * Replaces neighbouring segments by their merged ones, if they are still at this place in the list. Segments that were appended meanwhile stay. Resolves with whether
   * they were replaced.
   *
   * @param start the index of the first of them
   */
  async replace(type: SearchType, start: number, merged: readonly SegmentRef[], fresh: readonly SegmentRef[]): Promise<boolean> {
    const { length } = merged;
    const isThere = { $eq: [{ $slice: ['$segments.id', start, length] }, merged.map(({ id }) => id)] };
    const segments = {
      $concatArrays: [
        { $slice: ['$segments', start] },
        { $literal: fresh.map((ref) => segmentRef.encode(ref)) },
        { $slice: ['$segments', start + length, { $size: '$segments' }] },
      ],
    };
    const change = [{ $set: { segments, revision: { $add: ['$revision', 1] } } }];
    return this.#commits.commit((into) => into(LISTS).update({ _id: this.#prefix + type, $expr: isThere }, change));
  }

  /** Replaces a list, whatever it is. */
  async set(type: SearchType, segments: readonly SegmentRef[]): Promise<void> {
    const update: Document = { $set: { segments: segments.map((ref) => segmentRef.encode(ref)) }, $inc: { revision: 1 } };
    await this.#commits.commit((into) => into(LISTS).update({ _id: this.#prefix + type }, update, { upsert: true }));
  }

  async remove(): Promise<void> {
    await this.#commits.commit((into) => into(LISTS).remove({ _id: { $in: SEARCH_TYPES.map((type) => this.#prefix + type) } }));
  }
}
