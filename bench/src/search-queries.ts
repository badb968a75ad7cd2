import { readFileSync } from 'node:fs';
import { vocabulary } from './search-world.js';

/** A query of the benchmark. */
export interface SearchQuestion {
  /** The kind of query, as text. */
  readonly kind: string;
  readonly q: string;
  /** The requested page, starting at 1. */
  readonly page: number;
}

/** For each query of the mix, this many similar ones are added, so that there are enough different queries for a p95 of the first time. */
const LIKE_IT = 5;
const HEX = '0123456789abcdef';

const ranks = new Map(vocabulary.map((word, rank) => [word, rank]));

/** The queries in queries.json, and for each of them similar ones. No query occurs twice. */
export const searchQueries: readonly SearchQuestion[] = differentOnes();

function differentOnes(): readonly SearchQuestion[] {
  const mix = JSON.parse(readFileSync(new URL('../queries.json', import.meta.url), 'utf8')) as readonly SearchQuestion[];
  const all = [0, ...Array.from({ length: LIKE_IT }, (_, index) => index + 1)].flatMap((variant) =>
    mix.map((question) => ({ ...question, q: variant === 0 ? question.q : likeIt(question, variant) })),
  );
  return [...new Map(all.map((question) => [`${question.q} ${String(question.page)}`, question])).values()];
}

function likeIt({ kind, q }: SearchQuestion, variant: number): string {
  if (kind === 'sha') return [...q].map((digit) => HEX[(HEX.indexOf(digit) + variant) % HEX.length] ?? '').join('');
  return q
    .split(' ')
    .map((word) => otherWord(word, variant))
    .join(' ');
}

/** A word with a similar frequency. For a prefix, another prefix of the same length. Words that are not in the vocabulary stay. */
function otherWord(word: string, variant: number): string {
  if (word === 'author' || word === 'repository') return word;
  const rank = ranks.get(word);
  if (rank === undefined) return (vocabulary[variant * 97 + word.charCodeAt(0)] ?? word).slice(0, word.length);
  return vocabulary[rank + variant * Math.max(1, Math.floor(rank / 20))] ?? vocabulary[rank - variant] ?? word;
}
