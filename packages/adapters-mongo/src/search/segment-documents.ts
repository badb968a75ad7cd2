import { ObjectId } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { directory, entryBlock, segmentList, termBlock } from './segment-codecs.js';
import type { Block, Directory, EntryBlock, TermBlock } from './segments/blocks.js';
import type { SegmentList } from './segments/segment.js';

/** Ids are sorted by the time at which they were created. */
export function newSegmentId(): string {
  return new ObjectId().toHexString();
}

export function toDocument(block: Block): StoredDocument {
  return { _id: block.id, ...(encoded(block) as object) };
}

function encoded(block: Block): unknown {
  if (block.kind === 'directory') return directory.encode(block.value);
  return block.kind === 'terms' ? termBlock.encode(block.value) : entryBlock.encode(block.value);
}

/** Like all decoders here, it never throws: the result for an invalid document is a `BadValue`. */
export function toSegmentList(document: unknown): SegmentList | BadValue {
  return segmentList.decode(document, '');
}

export function toDirectory(document: unknown): Directory | BadValue {
  const decoded = directory.decode(document, '');
  if (decoded instanceof BadValue) return decoded;
  if (decoded.sizes.length !== 2 * decoded.terms.length) return new BadValue('sizes', 'wrong');
  return decoded.times.length === decoded.keys.length ? decoded : new BadValue('keys', 'wrong');
}

export function toTermBlock(document: unknown): TermBlock | BadValue {
  const block = termBlock.decode(document, '');
  if (block instanceof BadValue) return block;
  const isInOrder = block.ends.every((end, index) => end >= (block.ends[index - 1] ?? 0));
  return isInOrder && block.ends.length === block.terms.length && (block.ends.at(-1) ?? 0) <= block.postings.length
    ? block
    : new BadValue('ends', 'wrong');
}

export function toEntryBlock(document: unknown): EntryBlock | BadValue {
  const block = entryBlock.decode(document, '');
  if (block instanceof BadValue) return block;
  return block.keys.length === block.times.length && block.scopes.length === block.times.length ? block : new BadValue('keys', 'wrong');
}
