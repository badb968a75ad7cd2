import { grouped, type Commit, type Finding } from '@vitrine/core';
import type { GitOrigin } from '../git/git-collection.js';
import { findingIdOf, matterOf, type FollowedMatter } from './finding-record.js';
import type { FollowedFinding, Patch } from './findings-state.js';
import type { History, HistoryCommit } from './history.js';
import { type LiveBranch, type Branches, readNotes } from './read-branches.js';
import type { Git } from '../git/git.js';
import { isDated, readCommits } from '../git/commit-log.js';
import { commitRecord } from '../git/collect-commits.js';
import { readPatchIds } from './patch-ids.js';
import type { ClosedBranches } from './pull-requests.js';

const OTHER = 'other';

export interface FindingsWorld {
  readonly git: Git;
  readonly history: History;
  readonly branches: Branches;
  readonly origin: GitOrigin;
  readonly remembered: readonly FollowedFinding[];
  readonly stored: ReadonlyMap<string, Finding>;
  readonly closed: ClosedBranches;
  /** Whether the configuration shows a branch of this name, if it existed. */
  readonly isShown: (branch: string) => boolean;
}

export type Followed = Awaited<ReturnType<typeof followFindings>>;

/** `matters`: first those of commits that a branch has for itself. `untold`: those of branches that cannot be read now. `hidden`: ids of branches that must not be shown any more. */
export async function followFindings(world: FindingsWorld) {
  const { branches, stored } = world;
  const all = allRemembered(world);
  const present = await presentFindings(world, all);
  const isPresent = new Set(present.map(({ followed }) => followed.id));
  const [past, untold, hidden]: [FollowedMatter[], FollowedFinding[], string[]] = [[], [], []];
  for (const finding of [...all.values()].filter(({ id }) => !isPresent.has(id))) {
    const { id, branch } = finding;
    const isUntold = branches.untold.has(branch);
    const record = stored.get(id);
    if (!isUntold && !branches.live.has(branch) && !world.isShown(branch)) hidden.push(id);
    else if (isUntold || branches.defaultTip === null) untold.push(finding);
    // A finding whose record somebody has removed is not followed any more.
    else if (record !== undefined) past.push({ ...matterOfStored(finding, record), isPast: true });
  }
  return { matters: [...present, ...past], untold, hidden };
}

/** What is remembered, by id, also of stored findings whose state was lost. */
function allRemembered({ stored, origin, remembered }: FindingsWorld): ReadonlyMap<string, FollowedFinding> {
  const all = new Map(remembered.map((finding) => [finding.id, finding]));
  for (const finding of stored.values()) {
    const lost = all.has(finding.id) ? null : forgotten(finding, origin);
    if (lost !== null) all.set(finding.id, lost);
  }
  return all;
}

/** A stored finding of this source that nothing is remembered of. `null` if it is not one of this source. */
function forgotten({ id, changeType, evidence: { branch, commitSha } }: Finding, origin: GitOrigin): FollowedFinding | null {
  if (findingIdOf(origin, branch, changeType) !== id) return null;
  const commits = commitSha === undefined ? [] : [{ sha: commitSha, patch: '', key: '' }];
  return { id, branch, changeType, count: null, own: '', commits, tip: null, bases: [], squash: null, held: [] };
}

/** The findings of commits that a branch has for itself. Those of branches with the same commits as before are not made again. */
async function presentFindings(world: FindingsWorld, all: ReadonlyMap<string, FollowedFinding>): Promise<readonly FollowedMatter[]> {
  const byBranch = grouped(all.values(), ({ branch }) => branch);
  const known: FollowedMatter[] = [];
  const changed: LiveBranch[] = [];
  for (const branch of [...world.branches.live.values()].filter(({ own }) => own.length > 0)) {
    const found = knownFindings(branch, world, byBranch.get(branch.name) ?? []);
    if (found.length > 0) known.push(...found);
    else changed.push(branch);
  }
  return [...known, ...(await newFindings(changed, world, all))];
}

/** The findings of a branch whose commits are the same as when they were made; none if it must be read again. */
function knownFindings(branch: LiveBranch, { stored }: FindingsWorld, remembered: readonly FollowedFinding[]): readonly FollowedMatter[] {
  const same = remembered.filter(({ own }) => own === branch.digest);
  const found = same.flatMap((finding) => {
    const record = stored.get(finding.id);
    return record === undefined || finding.commits.length !== finding.count ? [] : [matterOfStored(finding, record)];
  });
  return found.length === same.length ? found : [];
}

function matterOfStored(followed: FollowedFinding, stored: Finding): FollowedMatter {
  const { count, commits } = followed;
  const { commitSha: storedSha, ...evidence } = stored.evidence;
  const commitSha = count === null ? storedSha : count === 1 ? commits[0]?.sha : undefined;
  return { followed, matter: { ...stored, evidence: { ...evidence, ...(commitSha !== undefined && { commitSha }) } }, isPast: false };
}

async function newFindings(changed: readonly LiveBranch[], { git, history, origin }: FindingsWorld, known: ReadonlyMap<string, FollowedFinding>) {
  const all = [...new Set(changed.flatMap(({ own }) => own))];
  const shas = all.map(({ sha }) => sha);
  const commits = new Map<string, Commit>();
  for await (const raw of readCommits(git, shas, true))
    if (isDated(raw)) commits.set(raw.sha, commitRecord(raw, { branch: null, observedAt: 0 }, origin));
  await readPatchesInto(git, all);
  const squashes = await readSquashes(changed, git);
  return changed.flatMap((branch) => {
    const own = branch.own.flatMap(({ sha }) => commits.get(sha) ?? []);
    const { name, shown, sha: tip, bases, digest } = branch;
    return [...grouped(own, (commit) => commit.changeType ?? OTHER)].map(([changeType, ofType]) => {
      const id = findingIdOf(origin, name, changeType);
      const changes = ofType.map(({ sha }) => ({ sha, ...patchOf(history.get(sha)) }));
      const before = known.get(id);
      const held = sameCommits(before, changes) ? (before?.held ?? []) : [];
      const what = { id, branch: name, changeType, count: ofType.length, own: digest, commits: changes };
      return { followed: { ...what, tip, bases, squash: squashes.get(tip) ?? null, held }, matter: matterOf(ofType, shown, origin), isPast: false };
    });
  });
}

/** The changes of whole branches with several commits, by their last commits. */
async function readSquashes(branches: readonly LiveBranch[], git: Git): Promise<ReadonlyMap<string, Patch>> {
  const compared = branches.flatMap(({ sha, bases: [base], own }) => (base === undefined || own.length < 2 ? [] : [{ sha, base }]));
  const patches = await readPatchIds(git, compared);
  const squashes = new Map<string, Patch>();
  for await (const [sha, { key }] of readNotes(git, compared)) {
    const patch = patches.get(sha) ?? '';
    if (patch !== '') squashes.set(sha, { patch, key: key ?? '' });
  }
  return squashes;
}

function patchOf(commit: HistoryCommit | undefined): Patch {
  return { patch: commit?.patch ?? '', key: commit?.note?.key ?? '' };
}

function sameCommits(known: FollowedFinding | undefined, changes: readonly { readonly sha: string }[]): boolean {
  const shas = new Set(known?.commits.map(({ sha }) => sha));
  return known?.count === changes.length && changes.every(({ sha }) => shas.has(sha));
}

export function keysOf({ commits, squash }: FollowedFinding): readonly string[] {
  return [...commits, ...(squash === null ? [] : [squash])].flatMap(({ patch, key }) => (patch === '' ? [] : [key]));
}

export async function readPatchesInto(git: Git, commits: readonly HistoryCommit[]): Promise<void> {
  const missing = commits.filter(({ patch }) => patch === null);
  const patches = await readPatchIds(git, missing);
  for (const commit of missing) commit.patch = patches.get(commit.sha) ?? '';
}
