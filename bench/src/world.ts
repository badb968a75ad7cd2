import { HOUR, DAY, MINUTE, type Check, type Commit, type RepositoryRecord, type RepositoryRef, type Service } from '@vitrine/core';
import { aCheck, aCommit, aRepositoryRecord, aService, NOW, Random } from '@vitrine/core/testing';
import { COMMITS, elementOf } from './measure.js';

// The records that most benchmarks store. The serial number of a record decides all of it, so what a store must answer is known without the store.

/** Words by rank: the n-th is used about 1/n as often as the first, as in natural text. Their first letters vary as in natural text too. */
const WORDS = 50_000;
const random = new Random(5);
const onsets = [...'b c d f g h j k l m n p r s t v w x y z bl br ch cl cr dr fl fr gr pl pr qu sc sh sp st str th tr'.split(' '), '', '', '', ''];
const vowels = ['a', 'e', 'i', 'o', 'u', 'a', 'e', 'i', 'o', 'ea', 'ou', 'io', 'y'] as const;
const codas = ['', '', '', 'n', 'r', 's', 't', 'l', 'd', 'm', 'ng', 'nt', 'st', 'ck', 'x'] as const;
const syllable = () => elementOf(onsets, random.int(onsets.length)) + random.pick(vowels) + random.pick(codas);

const made = new Set(Array.from({ length: 2 * WORDS }, () => Array.from({ length: 1 + random.int(4) }, syllable).join('')));
const byLength = [...made].filter(({ length }) => length > 1).map((text) => ({ text, weight: text.length + 8 * random.next() }));

export const vocabulary: readonly string[] = byLength
  .sort((a, b) => a.weight - b.weight)
  .slice(0, WORDS)
  .map(({ text }) => text);

/** A word, the first of the vocabulary most often. */
const word = (from: Random): string => elementOf(vocabulary, Math.floor(WORDS ** from.next()) - 1);
const words = (from: Random, count: number) => Array.from({ length: count }, () => word(from)).join(' ');

const refs = Array.from({ length: 500 }, (_, index): RepositoryRef => `team/repository-${String(index).padStart(3, '0')}`);
const GROUP = 50;

/** 50 repositories with 46 % of the commits, and 50 others with 1 %. */
export const busyRefs: readonly RepositoryRef[] = refs.slice(0, GROUP);
export const quietRefs: readonly RepositoryRef[] = refs.slice(-GROUP);

export const repositoryRecords: readonly RepositoryRecord[] = refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef }));

export function refOf(serial: number): RepositoryRef {
  const share = Math.imul(serial + 1, 0x85ebca6b) >>> 0;
  const [hundredths, within] = [share % 100, Math.floor(share / 100)];
  if (hundredths < 46) return elementOf(busyRefs, within % GROUP);
  if (hundredths < 47) return elementOf(quietRefs, within % GROUP);
  return elementOf(refs, GROUP + (within % (refs.length - 2 * GROUP)));
}

export function shaOf(serial: number): string {
  return (Math.imul(serial + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').padEnd(40, serial.toString(16).padStart(8, '0'));
}

export const timeOf = (serial: number): number => NOW - serial * MINUTE;
export const branchOf = (serial: number): string => (serial % 5 === 0 ? 'next' : 'main');
/** One author in a thousand commits, and others in one of about a hundred. */
export const authorOf = (serial: number): string => (serial % 1_000 === 7 ? 'rare' : String(serial % 97));
export const changeTypeOf = (serial: number): Commit['changeType'] => (serial % 333 === 5 ? 'security' : 'fix');

/** A commit with a subject and a description, about 27 words with its author and repository. */
export function worldCommit(serial: number): Commit {
  const own = new Random(serial);
  return aCommit({
    repositoryRef: refOf(serial),
    sha: shaOf(serial),
    title: words(own, 6),
    description: words(own, 17),
    authorName: `Author ${authorOf(serial)}`,
    authorLogin: `author-${authorOf(serial)}`,
    branch: branchOf(serial),
    changeType: changeTypeOf(serial),
    committedAt: timeOf(serial),
  });
}

export const worldCommits = (start: number, count: number): readonly Commit[] =>
  Array.from({ length: count }, (_, index) => worldCommit(start + index));

export function newestShas(approved: readonly RepositoryRef[], count: number): readonly string[] {
  const shas: string[] = [];
  for (let serial = 0; shas.length < count; serial++) if (approved.includes(refOf(serial))) shas.push(shaOf(serial));
  return shas;
}

export const services: readonly Service[] = Array.from({ length: 100 }, (_, index) => {
  const number = String(index).padStart(3, '0');
  return aService({ key: `acme:service-${number}`, displayName: `Service ${number}` });
});

/** As many checks as there are commits. All are within the window of 90 days, also at the end of a benchmark. */
export const CHECKS_EACH = COMMITS / services.length;
const CHECK_EVERY = (90 * DAY - 2 * HOUR) / CHECKS_EACH;

/** One check in a thousand fails. The newest is valid while a benchmark runs. */
export function checksOf(service: number): readonly Check[] {
  const serviceKey = elementOf(services, service).key;
  return Array.from({ length: CHECKS_EACH }, (_, index) => {
    const state = (service * 31 + index) % 1_000 === 999 ? 'outage' : 'operational';
    const [checkedAt, responseTimeMs] = [Math.round(NOW - index * CHECK_EVERY), 80 + ((index * 37) % 400)];
    return aCheck({ serviceKey, state, checkedAt, responseTimeMs, validForMs: HOUR });
  });
}
