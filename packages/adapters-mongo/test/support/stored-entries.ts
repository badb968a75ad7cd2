import { compareText, SEARCH_TYPES, type SearchType } from '@vitrine/core';
import type { Db, Document } from 'mongodb';
import { BadValue } from '../../src/documents/codec.js';
import { rowOf } from '../../src/search/posting.js';
import { rowOrder, type SegmentRow } from '../../src/search/segment.js';
import {
  documentsOf,
  postingsIn,
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
  /** In their order. */
  readonly terms: readonly string[];
}

/** Every entry that search may find, whatever segments it stands in; that which was written last where several stand at one place. */
export async function storedEntries(db: Db): Promise<readonly StoredEntry[]> {
  return (await Promise.all(SEARCH_TYPES.map((type) => entriesOf(db, type)))).flat();
}

async function entriesOf(db: Db, type: SearchType): Promise<readonly StoredEntry[]> {
  const list = await db.collection<{ _id: string }>('search_segments').findOne({ _id: type });
  if (list === null) return [];
  const entries = new Map<string, StoredEntry>();
  for (const ref of sound(toSegmentList(list)).segments)
    for (const entry of await entriesIn(db, type, ref)) entries.set(`${String(entry.time)} ${entry.recordKey}`, entry);
  return [...entries.values()].filter(({ isGone }) => !isGone).sort(rowOrder(type));
}

async function entriesIn(db: Db, type: SearchType, { id }: SegmentRef): Promise<readonly StoredEntry[]> {
  const documents = await db.collection<{ _id: string }>('search_blocks').find(documentsOf(id)).toArray();
  const byId = new Map<string, Document>(documents.map((document) => [document._id, document]));
  const directory = sound(toDirectory(byId.get(id)));
  const rowBlocks = directory.times.map((_time, index) => sound(toRowBlock(byId.get(rowBlockId(id, index)))));
  const rows = rowBlocks.flatMap((block) => block.keys.flatMap((_key, index) => rowIn(block, index) ?? []));
  const terms = rows.map((): string[] => []);
  const termBlocks = directory.terms.map((_term, index) => sound(toTermBlock(byId.get(termBlockId(id, index)))));
  for (const [term, postings] of termBlocks.flatMap(postingsIn)) for (const posting of postings) terms[rowOf(posting)]?.push(term);
  return rows.map((row, index) => ({ ...row, type, terms: (terms[index] ?? []).sort(compareText) }));
}

function sound<Value>(value: Value | BadValue): Value {
  if (value instanceof BadValue) throw new Error(value.toString());
  return value;
}
