import {
  Allowlist,
  FreshnessJudge,
  RepositoryGate,
  ScopedRecords,
  type Commit,
  type Deadlines,
  type RepositoryRef,
  type StoreReaders,
  type UseCaseContext,
} from '@vitrine/core';
import { elementOf } from './element-of.js';
import { aCommit, NOW, Random } from '@vitrine/core/testing';

const REPOSITORIES = 50;

export const clock = { now: () => NOW };
export const refs = Array.from({ length: REPOSITORIES }, (_, index): RepositoryRef => `team/repository-${String(index).padStart(2, '0')}`);
const approvedRefs = refs.filter((_, index) => index % 2 === 0);
export const context: UseCaseContext = { approved: Allowlist.of(...approvedRefs).approved(), signal: new AbortController().signal };
/** No deadlines, because nothing waits long here. */
export const noDeadlines: Deadlines = { run: (_milliseconds, signal, call) => call(signal) };

/** For words with about the frequencies of natural text. */
const random = new Random(7);
const syllables = ['ca', 'ro', 'mi', 'ten', 'lo', 'sar', 'ven', 'qui', 'pa', 'dor', 'ex', 'um', 'bel', 'tra', 'sin', 'ko'] as const;
export const vocabulary: readonly string[] = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 2 + random.int(3) }, () => random.pick(syllables)).join(''),
);
const words = (count: number) => Array.from({ length: count }, () => someWord(random)).join(' ');

function someWord(chance: Random): string {
  return elementOf(vocabulary, Math.floor(vocabulary.length * chance.next() ** 4));
}

/** A commit like those of a busy team. One in a thousand has the change type `security`. */
export function busyCommit(serial: number): Commit {
  return aCommit({
    repositoryRef: elementOf(refs, serial % REPOSITORIES),
    sha: shaOf(serial),
    title: words(6),
    description: words(18),
    authorName: `Author ${String(serial % 97)}`,
    authorLogin: `author-${String(serial % 97)}`,
    branch: serial % 5 === 0 ? 'next' : 'main',
    changeType: Math.floor(serial / REPOSITORIES) % 1000 === 0 ? 'security' : 'fix',
    committedAt: NOW - serial * 60_000,
  });
}

/** A different sha for each serial number, evenly distributed. */
export function shaOf(serial: number): string {
  return (Math.imul(serial + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').padEnd(40, serial.toString(16).padStart(8, '0'));
}

/** The objects that use cases share, created as in production. */
export function sharedParts(readers: StoreReaders) {
  const gate = new RepositoryGate(readers.repositories, { refused: () => undefined });
  const freshness = new FreshnessJudge(readers.syncs, clock);
  return { gate, freshness, records: new ScopedRecords(gate, freshness, clock) };
}
