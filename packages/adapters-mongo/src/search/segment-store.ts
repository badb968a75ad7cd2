import { SEARCH_TYPES, type ScopeRef, type SearchType } from '@vitrine/core';
import type { Filter } from 'mongodb';
import type { Collections, ReadCollection } from '../collections.js';
import { BadValue } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { findDocuments } from '../reading/find-documents.js';
import { inParts } from '../in-parts.js';
import type { Commits } from '../writers/commits.js';
import { runsIn, runsToMerge } from './merge-policy.js';
import { mergedSegments, type KeepRow, type LoadedSegment } from './merge-segments.js';
import type { NewEntry } from './new-entry.js';
import {
  documentsOf,
  endOf,
  newSegmentId,
  refOf,
  rowBlockId,
  termBlockId,
  toDirectory,
  toDocuments,
  toRowBlock,
  toSegmentList,
  toTermBlock,
  rowIn,
  type RowBlock,
  type SegmentList,
  type SegmentRef,
} from './segment-documents.js';
import { SegmentLists } from './segment-lists.js';
import { segmentOf, type SegmentRow } from './segment.js';

const BLOCKS = 'search_blocks';
/** So that a batch has some megabytes. */
const BLOCKS_AT_ONCE = 1_000;

/** A damaged segment is not merged with others: readers should report what is missing, and a merge would lose it for good. */
export class DamagedSegmentError extends Error {}

/**
 * Writes search entries. Each call creates new segments. If there are many segments, some of them are merged. A segment is complete before its list names it, and
 * it is deleted only when no list names it any more. So readers see either the whole segment or nothing of it.
 */
export class SegmentStore {
  readonly #lists: SegmentLists;
  readonly #named: ReadCollection;
  readonly #blocks: ReadCollection;
  readonly #commits: Commits;

  /** @param prefix the prefix of lists; see {@link SegmentLists} */
  constructor(collections: Collections, commits: Commits, prefix = '') {
    this.#named = collections.of('search_segments');
    this.#blocks = collections.of(BLOCKS);
    this.#commits = commits;
    this.#lists = new SegmentLists(this.#named, commits, prefix);
  }

  /** Adds entries. An entry replaces older ones with the same position. Each position at most once. */
  async add(entries: readonly NewEntry[]): Promise<void> {
    // A line feed separates keys. Vitrine creates no key with a line feed. If another collector stored one, its record is in lists, but search does not find it.
    const able = entries.filter(({ place }) => !place.recordKey.includes('\n'));
    const made = [...byType(able)].map(([type, some]) => ({ type, id: newSegmentId(), segment: segmentOf(type, some) }));
    if (made.length === 0) return;
    const documents = made.flatMap(({ id, segment }) => toDocuments(id, segment));
    const refs = new Map(made.map(({ type, id, segment }) => [type, refOf(id, id, segment)]));
    const parts = inParts(documents, BLOCKS_AT_ONCE);
    const last = parts.pop() ?? [];
    await this.#store(parts.flat());
    await this.#commits.commit(async (into) => {
      await into(BLOCKS).insert(last);
      await this.#lists.append(into, refs);
    });
    for (const [type, list] of await this.#lists.some([...refs.keys()])) await this.#mergeAll(type, list);
  }

  async #mergeAll(type: SearchType, given: SegmentList | null): Promise<void> {
    for (let list = given; list !== null;) {
      const runs = runsIn(list.segments);
      const count = runsToMerge(runs);
      list = count === 0 ? null : await this.#merged(type, list, runs, count);
    }
  }

  /** Merges this many of the youngest runs; `null` if another writer was faster, or a segment is damaged. */
  async #merged(type: SearchType, { revision }: SegmentList, runs: readonly (readonly SegmentRef[])[], count: number): Promise<SegmentList | null> {
    const kept = runs.slice(0, -count).flat();
    // Without older runs there is nothing for tombstones to hide, so they are dropped.
    const keeps: KeepRow = kept.length === 0 ? ({ isGone }) => !isGone : () => true;
    try {
      return await this.#replaced(type, { revision, segments: kept }, runs.slice(-count), keeps);
    } catch (error) {
      if (error instanceof DamagedSegmentError) return null;
      throw error;
    }
  }

  /** Replaces some runs by their merged run; `null` if another writer was faster. Rejects with a `DamagedSegmentError`. */
  async #replaced(type: SearchType, before: SegmentList, old: readonly (readonly SegmentRef[])[], keeps: KeepRow): Promise<SegmentList | null> {
    const fresh: SegmentRef[] = [];
    const run = newSegmentId();
    try {
      for await (const segment of mergedSegments(type, old, (ref) => this.#loaded(ref), keeps)) {
        const id = newSegmentId();
        await this.#store(toDocuments(id, segment));
        fresh.push(refOf(id, run, segment));
      }
    } catch (error) {
      if (error instanceof DamagedSegmentError) await this.#drop(fresh);
      throw error;
    }
    const [revision, segments] = [before.revision, [...before.segments, ...fresh]];
    const isReplaced = await this.#lists.replace(type, { revision, segments });
    await this.#drop(isReplaced ? old.flat() : fresh);
    return isReplaced ? { revision: revision + 1, segments } : null;
  }

  /**
   * Rewrites the segments that have entries of other scopes: removes these entries, and every word that only they contained. Resolves with the number of removed
   * entries. Rejects with a `DamagedSegmentError` if a segment cannot be decoded.
   */
  async keepOnly(isKept: (scope: ScopeRef) => boolean, signal: AbortSignal): Promise<number> {
    let removed = 0;
    for (const type of SEARCH_TYPES) {
      const list = await this.#lists.of(type);
      if (list === null) throw new DamagedSegmentError(type);
      if (!(await this.#holdsOthers(list, isKept))) continue;
      const keeps: KeepRow = ({ isGone, repositoryRef }) => {
        signal.throwIfAborted();
        const isOther = !isKept(repositoryRef);
        if (isOther && !isGone) removed += 1;
        return !isOther && !isGone;
      };
      const after = await this.#replaced(type, { revision: list.revision, segments: [] }, runsIn(list.segments), keeps);
      if (after === null) throw new Error('Another process has written search entries meanwhile. Run the command again.');
    }
    return removed;
  }

  async #holdsOthers({ segments }: SegmentList, isKept: (scope: ScopeRef) => boolean): Promise<boolean> {
    for (const { id } of segments) {
      const found = await findDocuments(this.#blocks, { ...documentsOf(id), scopes: { $exists: true } });
      const blocks = found.documents.map((document) => sound(toRowBlock(document)));
      if (found.damaged.size > 0) throw new DamagedSegmentError(id);
      if (blocks.some((block) => rowsIn(block).some(({ repositoryRef }) => !isKept(repositoryRef)))) return true;
    }
    return false;
  }

  async #store(documents: readonly StoredDocument[]): Promise<void> {
    for (const part of inParts(documents, BLOCKS_AT_ONCE)) await this.#commits.commit((into) => into(BLOCKS).insert(part));
  }

  async #loaded({ id, rows: count }: SegmentRef): Promise<LoadedSegment> {
    const found = await findDocuments(this.#blocks, documentsOf(id));
    const stored = new Map(found.documents.map((document): [unknown, unknown] => [document['_id'], document]));
    const directory = sound(toDirectory(stored.get(id)));
    const blocks = directory.terms.map((_term, index) => sound(toTermBlock(stored.get(termBlockId(id, index)))));
    const rows = directory.times.flatMap((_time, index) => rowsIn(sound(toRowBlock(stored.get(rowBlockId(id, index))))));
    if (rows.length !== count || found.damaged.size > 0) throw new DamagedSegmentError();
    return { rows, blocks };
  }

  async #drop(refs: readonly SegmentRef[]): Promise<void> {
    if (refs.length > 0) await this.#remove({ $or: refs.map(({ id }) => documentsOf(id)) });
  }

  /** Removes documents in parts, in any order: readers do not read documents that no list names. */
  async #remove(filter: Filter<StoredDocument>): Promise<void> {
    for (let mayBeMore = true; mayBeMore;) {
      const { documents } = await findDocuments(this.#blocks, filter, { projection: { _id: 1 }, limit: BLOCKS_AT_ONCE });
      const ids = documents.map(({ _id }) => String(_id));
      const removed = ids.length === 0 ? 0 : await this.#commits.commit((into) => into(BLOCKS).remove({ _id: { $in: ids } }));
      mayBeMore = removed > 0 && ids.length === BLOCKS_AT_ONCE;
    }
  }

  /** Removes segments that no list names. Interrupted writers leave such segments behind. */
  async sweep(): Promise<void> {
    const named = await findDocuments(this.#named, {}, {});
    const lists = named.documents.filter(({ segments }) => segments !== undefined).map(toSegmentList);
    if (named.damaged.size > 0 || lists.some((list) => list instanceof BadValue)) return;
    const known = new Set(lists.flatMap((list) => (list instanceof BadValue ? [] : list.segments.map(({ id }) => id))));
    await this.#remove({ $or: besides([...known].sort()) });
  }
}

/** A filter for documents that belong to none of the segments. @param segments sorted */
function besides(segments: readonly string[]): { readonly _id: object }[] {
  const starts = ['', ...segments.map(endOf)];
  return starts.map((start, index) => {
    const end = segments[index];
    return { _id: end === undefined ? { $gte: start } : { $gte: start, $lt: end } };
  });
}

function rowsIn(block: RowBlock): readonly SegmentRow[] {
  return block.keys.flatMap((_key, index) => rowIn(block, index) ?? []);
}

function sound<Value>(value: Value | BadValue): Value {
  if (value instanceof BadValue) throw new DamagedSegmentError(value.toString());
  return value;
}

function byType(entries: readonly NewEntry[]): ReadonlyMap<SearchType, readonly NewEntry[]> {
  const types = new Map<SearchType, NewEntry[]>();
  for (const entry of entries) {
    const known = types.get(entry.place.type);
    if (known === undefined) types.set(entry.place.type, [entry]);
    else known.push(entry);
  }
  return types;
}
