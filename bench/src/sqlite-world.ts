import type { Commit, RepositoryRecord, RepositoryRef } from '@vitrine/core';
import { aCommit, aRepositoryRecord, NOW } from '@vitrine/core/testing';
import { elementOf } from './element-of.js';
import { shaOf } from './memory-world.js';
import { searchCommit } from './search-world.js';

const REPOSITORIES = 500;
const GROUP = 50;
const AUTHORS = 97;
const SHARES = 10_000;
const MINUTE = 60_000;

const refs = Array.from({ length: REPOSITORIES }, (_, index): RepositoryRef => `team/repository-${String(index).padStart(3, '0')}`);

/** 50 repositories with 46 % of the commits, and 50 others with 1 %. */
export const busyRefs: readonly RepositoryRef[] = refs.slice(0, GROUP);
export const quietRefs: readonly RepositoryRef[] = refs.slice(-GROUP);

export const repositoryRecords: readonly RepositoryRecord[] = refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef }));

/** The repository of a commit. Which one it is looks random. */
export function refOf(serial: number): RepositoryRef {
  const share = Math.imul(serial + 1, 0x85ebca6b) >>> 0;
  const within = Math.floor(share / SHARES);
  if (share % SHARES < 4_600) return elementOf(busyRefs, within % GROUP);
  if (share % SHARES < 4_700) return elementOf(quietRefs, within % GROUP);
  return elementOf(refs, GROUP + (within % (REPOSITORIES - 2 * GROUP)));
}

export const timeOf = (serial: number): number => NOW - serial * MINUTE;
export const branchOf = (serial: number): string => (serial % 5 === 0 ? 'next' : 'main');
/** One author in a thousand commits, and others in one of about a hundred. */
export const authorOf = (serial: number): string => (serial % 1_000 === 7 ? 'rare' : String(serial % AUTHORS));
export const changeTypeOf = (serial: number): Commit['changeType'] => (serial % 333 === 5 ? 'security' : 'fix');

/** A commit of the world. */
export function worldCommit(serial: number): Commit {
  const { title, description } = searchCommit(serial);
  return aCommit({
    repositoryRef: refOf(serial),
    sha: shaOf(serial),
    title,
    description,
    authorName: `Author ${authorOf(serial)}`,
    authorLogin: `author-${authorOf(serial)}`,
    branch: branchOf(serial),
    changeType: changeTypeOf(serial),
    committedAt: timeOf(serial),
  });
}
