import { readFileSync } from 'node:fs';
import { vocabulary } from './search-world.js';

/** A query of the mix. */
export interface SearchQuestion {
  /** What kind of query it is, in words. */
  readonly kind: string;
  readonly q: string;
  /** The page that is asked for, from 1 on. */
  readonly page: number;
}

/** Of each query of the mix so many like it are asked too, so that there are enough different ones for a p95 of the first time. */
const LIKE_IT = 5;
const HEX = '0123456789abcdef';

const ranks = new Map(vocabulary.map((word, rank) => [word, rank]));

/** The mix of queries.json, and for each of its queries others of the same kind; no query twice. */
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

/** A word that is about as frequent; for the start of a word the start of another one, as long. What is not of the vocabulary stays. */
function otherWord(word: string, variant: number): string {
  if (word === 'author' || word === 'repository') return word;
  const rank = ranks.get(word);
  if (rank === undefined) return (vocabulary[variant * 97 + word.charCodeAt(0)] ?? word).slice(0, word.length);
  return vocabulary[rank + variant * Math.max(1, Math.floor(rank / 20))] ?? vocabulary[rank - variant] ?? word;
}
