import type { Document, Filter } from 'mongodb';
import type { ReadCollection } from '../collections.js';
import { BadValue } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { inParts } from '../in-parts.js';
import { findDocuments } from '../reading/find-documents.js';
import type { Commits, Into } from '../writers/commits.js';
import { toDirectory, toDocument, toEntryBlock, toTermBlock } from './segment-documents.js';
import type { BlockReader } from './segments/block-store.js';
import type { Block, Directory, EntryBlock, TermBlock } from './segments/blocks.js';
import { DamagedSegmentError } from './segments/damaged-segment-error.js';

const BLOCKS = 'search_blocks';
/** So that a commit has a megabyte or two: the server keeps a whole commit in memory, and other commits of this process wait for it. */
const BLOCKS_AT_ONCE = 250;
/** Sorts after the space that separates the segment's id from the rest of a block's id. */
const END = '!';

/** The stored blocks of segments, for those who write them. Reading rejects with a {@link DamagedSegmentError} if a block is missing or invalid. */
export class SegmentBlocks implements BlockReader {
  readonly #blocks: ReadCollection;
  readonly #commits: Commits;

  constructor(blocks: ReadCollection, commits: Commits) {
    this.#blocks = blocks;
    this.#commits = commits;
  }

  directories(ids: readonly string[]): Promise<ReadonlyMap<string, Directory>> {
    return this.#read(ids, toDirectory);
  }

  termBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, TermBlock>> {
    return this.#read(ids, toTermBlock);
  }

  entryBlocks(ids: readonly string[]): Promise<ReadonlyMap<string, EntryBlock>> {
    return this.#read(ids, toEntryBlock);
  }

  /** All entry blocks of a segment. */
  async entryBlocksOf(segment: string): Promise<readonly EntryBlock[]> {
    const found = await findDocuments(this.#blocks, { ...blocksOf(segment), scopes: { $exists: true } });
    const blocks = found.documents.map((document) => (found.damaged.has(document) ? null : toEntryBlock(document)));
    return blocks.map((block) => {
      if (block === null || block instanceof BadValue) throw new DamagedSegmentError(segment);
      return block;
    });
  }

  async #read<Value>(ids: readonly string[], decode: (document: Document) => Value | BadValue): Promise<ReadonlyMap<string, Value>> {
    const { documents, damaged } = await findDocuments(this.#blocks, { _id: { $in: [...ids] } });
    const stored = new Map(documents.map((document): [unknown, Document] => [document['_id'], document]));
    return new Map(
      ids.map((id) => {
        const document = stored.get(id);
        const value = document === undefined || damaged.has(document) ? new BadValue('', 'missing') : decode(document);
        if (value instanceof BadValue) throw new DamagedSegmentError(segmentIn(id));
        return [id, value];
      }),
    );
  }

  /** @param alsoWrite writes more in the last commit, which makes the blocks complete */
  async insert(blocks: readonly Block[], alsoWrite?: (into: Into) => Promise<void>): Promise<void> {
    const parts = inParts(blocks, BLOCKS_AT_ONCE);
    for (const [index, part] of parts.entries())
      await this.#commits.commit(async (into) => {
        await into(BLOCKS).insert(part.map(toDocument));
        if (index === parts.length - 1) await alsoWrite?.(into);
      });
  }

  async remove(segments: readonly string[]): Promise<void> {
    if (segments.length > 0) await this.#remove({ $or: segments.map(blocksOf) });
  }

  /** Removes the blocks of all other segments. */
  async removeOthers(segments: readonly string[]): Promise<void> {
    await this.#remove({ $or: besides([...segments].sort()) });
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
}

/** The id of a block begins with the id of its segment. */
function segmentIn(blockId: string): string {
  return blockId.split(' ', 1)[0] ?? blockId;
}

function blocksOf(segment: string): { readonly _id: object } {
  return { _id: { $gte: segment, $lt: segment + END } };
}

/** A filter for blocks that belong to none of the segments. @param segments sorted */
function besides(segments: readonly string[]): { readonly _id: object }[] {
  const starts = ['', ...segments.map((segment) => segment + END)];
  return starts.map((start, index) => {
    const end = segments[index];
    return { _id: end === undefined ? { $gte: start } : { $gte: start, $lt: end } };
  });
}
