import { REPOSITORY_SEARCH_TIME, type Instant } from '@vitrine/core';
import { ObjectId } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { scopeRef } from '../documents/shared-fields.js';
import { tagIn } from './posting.js';
import type { Postings, Segment, SegmentRow } from './segment.js';
import { directory, rowBlock, segmentList, termBlock } from './segment-codecs.js';

/** Rows in one document. A page then reads about as many documents as it has hits. */
export const BLOCK_ROWS = 64;
/** The size at which a document of terms is complete. A search for a rare word reads one such document of each segment. */
const BLOCK_BYTES = 8_192;
const BYTES_OF_TERM = 5;
const BYTES_OF_POSTING = 4;
/** Sorts after the space that separates the segment's id from the rest of a block's id. */
const END = '!';

/** A stored segment, as its list names it. */
export interface SegmentRef {
  readonly id: string;
  /** The id of a run. The segments of one run were written together. Each of them contains older rows than the one before it. */
  readonly run: string;
  readonly rows: number;
  readonly newest: Instant;
  readonly oldest: Instant;
}

export interface SegmentList {
  readonly revision: number;
  /** The oldest first; the segments of one run are next to each other. */
  readonly segments: readonly SegmentRef[];
}

export interface Directory {
  readonly terms: readonly string[];
  readonly sizes: Uint32Array;
  readonly times: readonly Instant[];
  readonly keys: readonly string[];
}

export interface TermBlock {
  readonly terms: readonly string[];
  readonly ends: Uint32Array;
  readonly postings: Uint32Array;
}

/** A block of rows. Its rows are decoded only when they are needed. */
export interface RowBlock {
  readonly times: Float64Array;
  readonly keys: readonly string[];
  readonly scopes: readonly string[];
  readonly gone?: readonly number[];
}

/** Ids are sorted by the time at which they were created. */
export function newSegmentId(): string {
  return new ObjectId().toHexString();
}

export function termBlockId(segment: string, index: number): string {
  return `${segment} t${String(index)}`;
}

export function rowBlockId(segment: string, index: number): string {
  return `${segment} r${String(index)}`;
}

/** All documents of a segment. */
export function documentsOf(segment: string) {
  return { _id: { $gte: segment, $lt: endOf(segment) } };
}

/** Greater than the ids of all documents of a segment. */
export function endOf(segment: string): string {
  return segment + END;
}

export function refOf(id: string, run: string, { rows }: Segment): SegmentRef {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('a segment has at least one row');
  return { id, run, rows: rows.length, newest: first.time, oldest: last.time };
}

/** The documents of a segment, its directory first. */
export function toDocuments(id: string, { rows, terms }: Segment): StoredDocument[] {
  const termBlocks = inBlocks(terms);
  const starts = Array.from({ length: Math.ceil(rows.length / BLOCK_ROWS) }, (_, index) => index * BLOCK_ROWS);
  const first = starts.map((start) => ({ row: rows[start], before: rows[start - 1] }));
  const stored: [string, unknown][] = [
    [
      id,
      directory.encode({
        terms: termBlocks.map((block) => block.terms[0] ?? ''),
        sizes: Uint32Array.from(termBlocks.flatMap(({ ends, postings }) => [ends.length, postings.length])),
        times: first.map(({ row }) => row?.time ?? 0),
        keys: first.map(({ row, before }) => (row !== undefined && before?.time === row.time ? row.recordKey : '')),
      }),
    ],
    ...termBlocks.map((block, index): [string, unknown] => [termBlockId(id, index), termBlock.encode(block)]),
    ...starts.map((start, index): [string, unknown] => [rowBlockId(id, index), encodeRows(rows.slice(start, start + BLOCK_ROWS))]),
  ];
  return stored.map(([_id, fields]) => ({ _id, ...(fields as object) }));
}

function inBlocks(terms: ReadonlyMap<string, Postings>): TermBlock[] {
  const blocks: TermBlock[] = [];
  let [held, size]: [[string, Postings][], number] = [[], 0];
  const close = () => {
    if (held.length > 0) blocks.push(blockOf(held));
    [held, size] = [[], 0];
  };
  for (const term of [...terms.keys()].sort()) {
    const postings = terms.get(term) ?? [];
    const bytes = term.length + BYTES_OF_TERM + BYTES_OF_POSTING * postings.length;
    if (size + bytes > BLOCK_BYTES) close();
    held.push([term, postings]);
    size += bytes;
  }
  close();
  return blocks;
}

function blockOf(held: readonly (readonly [string, Postings])[]): TermBlock {
  const ends = new Uint32Array(held.length);
  const all = new Uint32Array(held.reduce((sum, [, postings]) => sum + postings.length, 0));
  let end = 0;
  for (const [index, [, postings]] of held.entries()) {
    all.set(postings, end);
    ends[index] = end += postings.length;
  }
  return { terms: held.map(([term]) => term), ends, postings: all };
}

function encodeRows(rows: readonly SegmentRow[]): unknown {
  const gone = rows.flatMap(({ isGone }, index) => (isGone ? [index] : []));
  return rowBlock.encode({
    times: Float64Array.from(rows, ({ time }) => time),
    keys: rows.map(({ recordKey }) => recordKey),
    scopes: rows.map(({ repositoryRef }) => repositoryRef),
    ...(gone.length > 0 ? { gone } : {}),
  });
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

export function toRowBlock(document: unknown): RowBlock | BadValue {
  const block = rowBlock.decode(document, '');
  if (block instanceof BadValue) return block;
  return block.keys.length === block.times.length && block.scopes.length === block.times.length ? block : new BadValue('keys', 'wrong');
}

/** A row of a block; `null` if there is none or if it is invalid. */
export function rowIn({ times, keys, scopes, gone = [] }: RowBlock, index: number): SegmentRow | null {
  const [time, recordKey, scope] = [times[index], keys[index], scopes[index]];
  const isTime = Number.isInteger(time) && time !== undefined && time <= REPOSITORY_SEARCH_TIME;
  const repositoryRef = scopeRef.decode(scope, '');
  return !isTime || recordKey === undefined || repositoryRef instanceof BadValue
    ? null
    : { time, recordKey, repositoryRef, isGone: gone.includes(index) };
}

/**
 * A block with only the postings of some repositories. If most of a store is hidden, the hidden postings are removed once and not in each search.
 *
 * @param tags for each tag, whether its postings are kept
 */
export function postedBy(tags: Uint8Array, { terms, ends, postings }: TermBlock): TermBlock {
  const [kept, keptEnds, keptTerms] = [new Uint32Array(postings.length), new Uint32Array(ends.length), [] as string[]];
  let [at, count] = [0, 0];
  for (const [index, term] of terms.entries()) {
    const before = count;
    for (const end = ends[index] ?? 0; at < end; at++) {
      const posting = postings[at] ?? 0;
      if (tags[tagIn(posting)] === 1) kept[count++] = posting;
    }
    if (count > before) keptEnds[keptTerms.push(term) - 1] = count;
  }
  return { terms: keptTerms, ends: keptEnds.slice(0, keptTerms.length), postings: kept.slice(0, count) };
}

/** The postings of the terms from one index to another (exclusive). They are sorted within each term. */
export function postingsOf({ ends, postings }: TermBlock, [from, to]: readonly [number, number]): Uint32Array {
  return postings.subarray(from === 0 ? 0 : ends[from - 1], to === 0 ? 0 : ends[to - 1]);
}
