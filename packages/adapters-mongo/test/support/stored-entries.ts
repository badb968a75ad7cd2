import { compareText, SEARCH_TYPES, type SearchType } from '@vitrine/core';
import type { Db, Document } from 'mongodb';
import { BadValue } from '../../src/documents/codec.js';
import { rowOf } from '../../src/search/posting.js';
import { rowOrder, type SegmentRow } from '../../src/search/segment.js';
import { contentsOf, decoded } from './contents.js';
import {
  postingsOf,
  rowIn,
  rowBlockId,
  termBlockId,
  toDirectory,
  toRowBlock,
  toSegmentList,
  toTermBlock,
  type SegmentRef,
} from '../../src/search/segment-documents.js';

export interface StoredEntry extends SegmentRow {
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
  return [...entries.values()].filter(({ isGone }) => !isGone).sort(rowOrder(type));
}

function entriesIn(type: SearchType, { id }: SegmentRef, blocks: Documents): readonly StoredEntry[] {
  const directory = sound(toDirectory(blocks.get(id)));
  const rowBlocks = directory.times.map((_time, index) => sound(toRowBlock(blocks.get(rowBlockId(id, index)))));
  const rows = rowBlocks.flatMap((block) => block.keys.flatMap((_key, index) => rowIn(block, index) ?? []));
  const terms = rows.map((): string[] => []);
  const termBlocks = directory.terms.map((_term, index) => sound(toTermBlock(blocks.get(termBlockId(id, index)))));
  for (const block of termBlocks)
    for (const [index, term] of block.terms.entries()) for (const posting of postingsOf(block, [index, index + 1])) terms[rowOf(posting)]?.push(term);
  return rows.map((row, index) => ({ ...row, type, terms: (terms[index] ?? []).sort(compareText) }));
}

function sound<Value>(value: Value | BadValue): Value {
  if (value instanceof BadValue) throw new Error(value.toString());
  return value;
}
