import type { Commit, Finding } from '@vitrine/core';
import type { GitOrigin } from '../git/git-origin.js';
import type { Patch } from './default-branch.js';
import { findingIdOf, matterOf, storedMatter, type Matter } from './finding-record.js';
import type { FollowedFinding } from './findings-state.js';
import type { History } from './history.js';
import { pushTo } from './push-to.js';
import type { LiveBranch } from './read-branches.js';

/** The type of changes without a type. */
const OTHER = 'other';

/** A finding, its commits, and its content. */
export interface FollowedMatter {
  readonly followed: FollowedFinding;
  readonly matter: Matter;
}

/** What the findings of a branch are made of. */
export interface BranchMaterial {
  readonly branch: LiveBranch;
  readonly commits: readonly Commit[];
  readonly squash: Patch | null;
}

/** One finding for each change type that a branch has commits of. @param before the stored state, by id */
export function findingsOfBranch(
  { branch, commits, squash }: BranchMaterial,
  { history, origin, before }: { readonly history: History; readonly origin: GitOrigin; readonly before: ReadonlyMap<string, FollowedFinding> },
): readonly FollowedMatter[] {
  const byType = new Map<string, Commit[]>();
  for (const commit of commits) {
    pushTo(byType, commit.changeType ?? OTHER, commit);
  }
  return [...byType].map(([changeType, ofType]) => {
    const matter = matterOf(ofType, branch, changeType, origin);
    const changes = ofType.map(({ sha }) => ({ sha, ...patchOf(history, sha) }));
    const known = before.get(matter.id);
    const followed = {
      id: matter.id,
      branch: branch.name,
      changeType,
      count: ofType.length,
      own: branch.digest,
      commits: changes,
      tip: branch.tip,
      bases: branch.bases,
      squash,
      held: sameCommits(known, changes) ? (known?.held ?? []) : [],
    };
    return { followed, matter };
  });
}

function patchOf(history: History, sha: string): Patch {
  const place = history.placeOf(sha) ?? -1;
  return { patch: history.patchAt(place) ?? '', key: history.noteAt(place)?.key ?? '' };
}

function sameCommits(known: FollowedFinding | undefined, changes: readonly { readonly sha: string }[]): boolean {
  const shas = new Set(known?.commits.map(({ sha }) => sha));
  return known?.count === changes.length && changes.every(({ sha }) => shas.has(sha));
}

/** A remembered finding with its stored record. */
export function matterOfStored(followed: FollowedFinding, stored: Finding): FollowedMatter {
  const { count, commits } = followed;
  const [only] = commits;
  const commitSha = count === null ? (stored.evidence.commitSha ?? null) : count === 1 && only !== undefined ? only.sha : null;
  return { followed, matter: storedMatter(stored, { count, commitSha }) };
}

/** A stored finding of this source that nothing is remembered of, as after its state was lost. `null` if it is not one of this source. */
export function forgotten(stored: Finding, origin: GitOrigin): FollowedFinding | null {
  const { id, changeType, evidence } = stored;
  if (findingIdOf(origin, evidence.branch, changeType) !== id) return null;
  const commits = evidence.commitSha === undefined ? [] : [{ sha: evidence.commitSha, patch: '', key: '' }];
  return { id, branch: evidence.branch, changeType, count: null, own: '', commits, tip: null, bases: [], squash: null, held: [] };
}

/** Whether all changes of a finding are still on its branch, as after a rebase that gave the commits other titles. Then another finding tells of them. */
export function isSuperseded({ commits }: FollowedFinding, patchesOnBranch: ReadonlySet<string>): boolean {
  return commits.length > 0 && commits.every(({ patch }) => patch !== '' && patchesOnBranch.has(patch));
}

/** The keys by which the changes of a finding are found again. */
export function keysOf({ commits, squash }: FollowedFinding): readonly string[] {
  return [...commits, ...(squash === null ? [] : [squash])].flatMap(({ patch, key }) => (patch === '' ? [] : [key]));
}
