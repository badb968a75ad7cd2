import type { Commit, RepositoryRecord, RepositoryRef } from '@vitrine/core';
import { aCommit, aRepositoryRecord, NOW, Random } from '@vitrine/core/testing';
import { elementOf } from './element-of.js';

/** Words by rank: the n-th is used about 1/n as often as the first, as in natural text. Their first letters vary as in natural text too. */
const WORDS = 50_000;
const random = new Random(5);
const onsets = [...'b c d f g h j k l m n p r s t v w x y z bl br ch cl cr dr fl fr gr pl pr qu sc sh sp st str th tr'.split(' '), '', '', '', ''];
const vowels = ['a', 'e', 'i', 'o', 'u', 'a', 'e', 'i', 'o', 'ea', 'ou', 'io', 'y'] as const;
const codas = ['', '', '', 'n', 'r', 's', 't', 'l', 'd', 'm', 'ng', 'nt', 'st', 'ck', 'x'] as const;
const syllable = () => elementOf(onsets, random.int(onsets.length)) + random.pick(vowels) + random.pick(codas);

const made = new Set(Array.from({ length: 2 * WORDS }, () => Array.from({ length: 1 + random.int(4) }, syllable).join('')));
const byLength = [...made].filter(({ length }) => length > 1).map((text) => ({ text, weight: text.length + 8 * random.next() }));

/** Shorter words tend to come first. */
export const vocabulary: readonly string[] = byLength
  .sort((a, b) => a.weight - b.weight)
  .slice(0, WORDS)
  .map(({ text }) => text);

const reach = new Float64Array(WORDS);
for (let rank = 0, sum = 0; rank < WORDS; rank++) reach[rank] = sum += 1 / (rank + 1);

function word(random: Random): string {
  const at = random.next() * (reach[WORDS - 1] ?? 0);
  let [low, high] = [0, WORDS - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((reach[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return elementOf(vocabulary, low);
}

const words = (random: Random, count: number) => Array.from({ length: count }, () => word(random)).join(' ');
const hex = (random: Random) => ((random.next() * 2 ** 32).toString(16).split('.')[0] ?? '').padStart(8, '0');

const searchRepositories = Array.from({ length: 1_000 }, (_, index): RepositoryRef => `team/repository-${String(index).padStart(3, '0')}`);

export function searchRepositoryRecords(): readonly RepositoryRecord[] {
  return searchRepositories.map((repositoryRef) => aRepositoryRecord({ repositoryRef }));
}

/** A commit with a subject and a description, about 27 words with its author and repository. The serial number decides all of it. */
export function searchCommit(serial: number): Commit {
  const own = new Random(serial);
  return aCommit({
    repositoryRef: elementOf(searchRepositories, own.int(searchRepositories.length)),
    sha: Array.from({ length: 5 }, () => hex(own)).join(''),
    title: words(own, 6),
    description: words(own, 17),
    authorName: `Author ${String(own.int(97))}`,
    authorLogin: `author-${String(own.int(97))}`,
    branch: serial % 5 === 0 ? 'next' : 'main',
    committedAt: NOW - serial * 1_000 * 60,
  });
}
