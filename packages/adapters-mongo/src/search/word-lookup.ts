import type { Instant, SearchWords } from '@vitrine/core';
import type { Document } from 'mongodb';
import { isPlainObject } from '../documents/codec.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import { headOf } from './entry-keys.js';
import { prefixTerm, wholeTerm, type SearchTerm } from './search-term.js';
import { MAX_DIRECT_WORDS } from './word-book.js';
import { SAMPLE_ID } from './word-counts.js';

/** A word that entries hold, and about how many hold it in a title field and in others only. */
export interface KnownWord {
  readonly word: string;
  readonly title: number;
  readonly other: number;
}

/** The words that a prefix stands for. */
export interface PrefixWords {
  readonly words: readonly KnownWord[];
  /** There are more, under the common key of their head. */
  readonly hasTail: boolean;
}

/** What the last sample of the entries told. */
export interface EntrySample {
  readonly entries: number;
  /** Hardly an entry is newer. */
  readonly newest: Instant;
  /** Milliseconds from one entry to the next, before that. */
  readonly pace: number;
}

/** The words of a query with what the store knows of them. */
export interface SearchTerms {
  readonly terms: readonly SearchTerm[];
  readonly sample: EntrySample | null;
}

/** More than the words of any query and of its prefix: all of them come at once. */
const MAX_FOUND = 1_000;

interface FoundWord extends KnownWord {
  readonly isDirect: boolean;
}

/** One command. */
export async function searchTerms(reading: MongoReading, { whole, prefix }: SearchWords, options: OperationOptions): Promise<SearchTerms> {
  const collection = reading.collections.of('search_words');
  const found = await collection.aggregate([...lookup(collection.collectionName, whole, prefix)], { ...options, batchSize: MAX_FOUND }).toArray();
  const words = new Map(found.flatMap(foundWord).map((word) => [word.word, word]));
  const terms = whole.map((word) => wholeTerm(word, words.get(word) ?? null));
  if (prefix !== null) terms.push(prefixTerm(prefix, wordsFrom(prefix, [...words.values()])));
  return { terms, sample: sampleIn(found) };
}

function sampleIn(found: readonly Document[]): EntrySample | null {
  const { entries, newest, pace } = found.find(({ _id }) => _id === SAMPLE_ID) ?? {};
  return typeof entries === 'number' && newest instanceof Date && typeof pace === 'number' ? { entries, newest: newest.getTime(), pace } : null;
}

function lookup(words: string, whole: readonly string[], prefix: string | null): Document[] {
  const pipeline: Document[] = [{ $match: { _id: { $in: [...whole, SAMPLE_ID] } } }];
  const head = prefix === null ? null : headOf(prefix);
  if (prefix === null || head === null) return pipeline;
  pipeline.push({ $unionWith: { coll: words, pipeline: [{ $match: { head } }] } });
  const from = { $match: { _id: { $gte: prefix, $lt: `${prefix}\u{10ffff}` } } };
  if (prefix !== head) pipeline.push({ $unionWith: { coll: words, pipeline: [from, { $limit: MAX_DIRECT_WORDS + 1 }] } });
  return pipeline;
}

/** Few words are looked for one by one; of many only those that their head names so, and the others under its common key. */
function wordsFrom(prefix: string, found: readonly FoundWord[]): PrefixWords {
  const matching = found.filter(({ word }) => word.startsWith(prefix));
  if (prefix !== headOf(prefix) && matching.length <= MAX_DIRECT_WORDS) return { words: matching, hasTail: false };
  return { words: matching.filter(({ isDirect }) => isDirect), hasTail: true };
}

function foundWord(document: unknown): FoundWord[] {
  if (!isPlainObject(document) || typeof document['_id'] !== 'string') return [];
  const { _id: word, head, title, other } = document;
  return [{ word, isDirect: typeof head === 'string', title: countOf(title), other: countOf(other) }];
}

function countOf(stored: unknown): number {
  return typeof stored === 'number' && stored >= 0 ? stored : 0;
}
