import { setImmediate as nextTurn } from 'node:timers/promises';
import { SEARCH_TYPES, type ScopeRef, type SearchType } from '@vitrine/core';
import type { Collections, ReadCollection } from '../collections.js';
import { LostLeaseError } from '../connection/lost-lease-error.js';
import { BadValue } from '../documents/codec.js';
import { findDocuments } from '../reading/find-documents.js';
import type { Commits } from '../writers/commits.js';
import { BackgroundMerges, type GiveWay } from './background-merges.js';
import { SegmentBlocks } from './segment-blocks.js';
import { newSegmentId, toSegmentList } from './segment-documents.js';
import { SegmentLists } from './segment-lists.js';
import { entriesIn } from './segments/blocks.js';
import { DamagedSegmentError } from './segments/damaged-segment-error.js';
import { runsIn, runsToMerge } from './segments/merge-policy.js';
import { mergeSegments, type KeepEntry, type MergeOptions } from './segments/merge-segments.js';
import { newSegment } from './segments/segment-builder.js';
import type { NewEntry, SegmentList, SegmentRef } from './segments/segment.js';

export interface SegmentStoreOptions {
  /** The prefix of lists; see {@link SegmentLists}. */
  readonly prefix?: string;
  /** Called when a merge fails in the background. The next call of `add` tries again. */
  readonly onMergeFailure?: ((error: unknown) => void) | undefined;
}

/** Some segments that are next to each other in a list. */
interface Span {
  readonly type: SearchType;
  /** The index of the first of them. */
  readonly start: number;
  /** The oldest first. */
  readonly runs: readonly (readonly SegmentRef[])[];
}

/**
 * Writes search entries. Each call creates new segments. If there are many segments, some of them are merged, beside the calls. A segment is complete before
 * its list names it, and it is deleted only when no list names it any more. So readers see either the whole segment or nothing of it.
 */
export class SegmentStore {
  readonly #lists: SegmentLists;
  readonly #stored: ReadCollection;
  readonly #blocks: SegmentBlocks;
  readonly #commits: Commits;
  readonly #merges: BackgroundMerges;
  /** The ids of damaged segments that a merge has met. They and all older ones are not merged. */
  readonly #damaged = new Set<string>();
  /** The ids of the segments that are being merged. A merge that begins meanwhile takes only younger ones. */
  readonly #merging = new Set<string>();

  constructor(collections: Collections, commits: Commits, { prefix = '', onMergeFailure }: SegmentStoreOptions = {}) {
    this.#stored = collections.of('search_segments');
    this.#blocks = new SegmentBlocks(collections.of('search_blocks'), commits);
    this.#commits = commits;
    this.#lists = new SegmentLists(this.#stored, commits, prefix);
    this.#merges = new BackgroundMerges(
      (type, giveWay) => this.#mergeNext(type, giveWay),
      // A writer that has lost its lease finds that out with its next write.
      (error) => (error instanceof LostLeaseError ? undefined : onMergeFailure?.(error)),
    );
  }

  /** Adds entries. An entry replaces older ones with the same position. Each position at most once. */
  async add(entries: readonly NewEntry[]): Promise<void> {
    // A line feed separates keys. Vitrine creates no key with a line feed. If another collector stored one, its record is in lists, but search does not find it.
    const able = entries.filter(({ entry }) => !entry.recordKey.includes('\n'));
    const added = [...byType(able)].map(([type, some]) => ({ type, ...newSegment(type, newSegmentId(), some) }));
    if (added.length === 0) return;
    const refs = new Map(added.map(({ type, ref }) => [type, ref]));
    await this.#blocks.insert(
      added.flatMap(({ blocks }) => blocks),
      (into) => this.#lists.append(into, refs),
    );
    await this.#merges.request(refs.keys());
  }

  /** Resolves when no merge runs. Never rejects. @param signal stops a running merge: the next writer does its work */
  settled(signal?: AbortSignal): Promise<void> {
    return this.#merges.settled(signal);
  }

  async #mergeNext(type: SearchType, giveWay: GiveWay): Promise<boolean> {
    const span = await this.#nextSpan(type);
    if (span === null) return false;
    try {
      // Without older runs there is nothing for tombstones to hide, so they are dropped.
      return await this.#replace(span, { keeps: ({ isTombstone }) => span.start > 0 || !isTombstone, pause: giveWay });
    } catch (error) {
      if (!(error instanceof DamagedSegmentError)) throw error;
      this.#damaged.add(error.segment);
      return true;
    }
  }

  async #nextSpan(type: SearchType): Promise<Span | null> {
    const list = await this.#lists.of(type);
    if (list === null) return null;
    const runs = runsIn(list.segments);
    const young = runs.slice(1 + runs.findLastIndex((run) => run.some(({ id }) => this.#damaged.has(id) || this.#merging.has(id))));
    const count = runsToMerge(young);
    const merged = young.slice(young.length - count);
    return count === 0 ? null : { type, start: list.segments.length - merged.flat().length, runs: merged };
  }

  /** Replaces some runs by their merged run. Resolves with whether they were still in the list. Until the list is replaced, the old segments are in force. */
  async #replace(span: Span, options: Pick<MergeOptions, 'keeps' | 'pause'>): Promise<boolean> {
    const { type, start, runs } = span;
    const merged = runs.flat();
    for (const { id } of merged) this.#merging.add(id);
    try {
      const fresh = await this.#merged(span, options);
      // If this fails, it is not known which segments the list names. The next writer removes the others.
      const isReplaced = await this.#lists.replace(type, start, merged, fresh);
      await this.#blocks.remove((isReplaced ? merged : fresh).map(({ id }) => id));
      return isReplaced;
    } finally {
      for (const { id } of merged) this.#merging.delete(id);
    }
  }

  async #merged({ type, runs }: Span, options: Pick<MergeOptions, 'keeps' | 'pause'>): Promise<readonly SegmentRef[]> {
    const created: string[] = [];
    const newId = () => {
      const id = newSegmentId();
      created.push(id);
      return id;
    };
    try {
      return await mergeSegments({ type, runs, reader: this.#blocks, newId, write: (blocks) => this.#blocks.insert(blocks), ...options });
    } catch (error) {
      // The first error is more useful. What cannot be removed now, the next writer removes.
      await this.#blocks.remove(created).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Rewrites the segments that have entries of other scopes: removes these entries, and every word that only they contained. Resolves with the number of removed
   * entries. Rejects with a `DamagedSegmentError` if a segment cannot be decoded.
   */
  async keepOnly(isKept: (scope: ScopeRef) => boolean, signal: AbortSignal): Promise<number> {
    await this.#merges.stop();
    let removed = 0;
    for (const type of SEARCH_TYPES) {
      const list = await this.#lists.of(type);
      if (list === null) throw new DamagedSegmentError(type);
      if (!(await this.#holdsOthers(list, isKept))) continue;
      const keeps: KeepEntry = ({ isTombstone, repositoryRef }) => {
        const isOther = !isKept(repositoryRef);
        if (isOther && !isTombstone) removed += 1;
        return !isOther && !isTombstone;
      };
      const pause = async (): Promise<void> => {
        await nextTurn(undefined, { signal });
      };
      const isReplaced = await this.#replace({ type, start: 0, runs: runsIn(list.segments) }, { keeps, pause });
      const after = isReplaced ? await this.#lists.of(type) : null;
      if (after?.revision !== list.revision + 1) throw new Error('Another process has written search entries meanwhile. Run the command again.');
    }
    return removed;
  }

  async #holdsOthers({ segments }: SegmentList, isKept: (scope: ScopeRef) => boolean): Promise<boolean> {
    for (const { id } of segments) {
      const blocks = await this.#blocks.entryBlocksOf(id);
      const entries = blocks.flatMap((block) => entriesIn(block) ?? []);
      if (entries.some(({ repositoryRef }) => !isKept(repositoryRef))) return true;
    }
    return false;
  }

  /** Removes segments that no list names. Interrupted writers leave such segments behind. */
  async sweep(): Promise<void> {
    // The blocks of a running merge are in no list yet.
    await this.#merges.stop();
    const named = await findDocuments(this.#stored, {}, {});
    const lists = named.documents.filter(({ segments }) => segments !== undefined).map(toSegmentList);
    if (named.damaged.size > 0 || lists.some((list) => list instanceof BadValue)) return;
    await this.#blocks.removeOthers(lists.flatMap((list) => (list instanceof BadValue ? [] : list.segments.map(({ id }) => id))));
  }
}

function byType(entries: readonly NewEntry[]): ReadonlyMap<SearchType, readonly NewEntry[]> {
  const types = new Map<SearchType, NewEntry[]>();
  for (const entry of entries) {
    const known = types.get(entry.type);
    if (known === undefined) types.set(entry.type, [entry]);
    else known.push(entry);
  }
  return types;
}
