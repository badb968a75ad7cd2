import { compareText, SEARCH_TYPES, type SearchType } from '@vitrine/core';
import type { Db, Document } from 'mongodb';
import { BadValue } from '../../src/documents/codec.js';
import { toDirectory, toEntryBlock, toSegmentList, toTermBlock } from '../../src/search/segment-documents.js';
import { entryBlockId, entryIn, postingsOf, termBlockId } from '../../src/search/segments/blocks.js';
import { docIdOf } from '../../src/search/segments/posting.js';
import { entryOrder, type SegmentEntry, type SegmentRef } from '../../src/search/segments/segment.js';
import { contentsOf, decoded } from './contents.js';

export interface StoredEntry extends SegmentEntry {
  readonly type: SearchType;
  /** Sorted. */
  readonly terms: readonly string[];
}

/** Every entry that search can find, in any segment. If several have the same position, the one that was written last. */
export async function storedEntries(db: Db): Promise<readonly StoredEntry[]> {
  const contents = await contentsOf(db, ['search_segments', 'search_blocks']);
  const [lists = [], blocks = []] = contents.values();
  const [list, byBlockId] = [byId(lists), byId(blocks)];
  return SEARCH_TYPES.flatMap((type) => entriesOf(type, list.get(type), byBlockId));
}

type Documents = ReadonlyMap<string, Document>;

function byId(documents: readonly Uint8Array[]): Documents {
  return new Map(documents.map(decoded).map((document) => [String(document['_id']), document]));
}

function entriesOf(type: SearchType, list: Document | undefined, blocks: Documents): readonly StoredEntry[] {
  if (list === undefined) return [];
  const entries = new Map<string, StoredEntry>();
  for (const ref of sound(toSegmentList(list)).segments)
    for (const entry of entriesIn(type, ref, blocks)) entries.set(`${String(entry.time)} ${entry.recordKey}`, entry);
  return [...entries.values()].filter(({ isTombstone }) => !isTombstone).sort(entryOrder(type));
}

function entriesIn(type: SearchType, { id }: SegmentRef, blocks: Documents): readonly StoredEntry[] {
  const directory = sound(toDirectory(blocks.get(id)));
  const entryBlocks = directory.times.map((_time, index) => sound(toEntryBlock(blocks.get(entryBlockId(id, index)))));
  const entries = entryBlocks.flatMap((block) => block.keys.flatMap((_key, index) => entryIn(block, index) ?? []));
  const terms = entries.map((): string[] => []);
  const termBlocks = directory.terms.map((_term, index) => sound(toTermBlock(blocks.get(termBlockId(id, index)))));
  for (const block of termBlocks)
    for (const [index, term] of block.terms.entries())
      for (const posting of postingsOf(block, [index, index + 1])) terms[docIdOf(posting)]?.push(term);
  return entries.map((entry, index) => ({ ...entry, type, terms: (terms[index] ?? []).sort(compareText) }));
}

function sound<Value>(value: Value | BadValue): Value {
  if (value instanceof BadValue) throw new Error(value.toString());
  return value;
}
