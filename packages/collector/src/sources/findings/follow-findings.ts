import { grouped, type Commit, type Finding } from '@vitrine/core';
import type { GitOrigin } from '../git/git-collection.js';
import type { Patch } from './default-branch.js';
import { findingIdOf, matterOf, type Matter } from './finding-record.js';
import type { FollowedFinding, FindingsState } from './findings-state.js';
import type { History } from './history.js';
import { type LiveBranch, type Branches, readNotes } from './read-branches.js';
import type { Git } from '../git/git.js';
import { isDated, readCommits } from '../git/commit-log.js';
import { commitRecord } from '../git/collect-commits.js';
import { readPatchIds } from './patch-ids.js';
import type { ClosedBranches } from './pull-requests.js';

const OTHER = 'other';

export interface FollowedMatter {
  readonly followed: FollowedFinding;
  readonly matter: Matter;
}

interface BranchMaterial {
  readonly branch: LiveBranch;
  readonly commits: readonly Commit[];
  readonly squash: Patch | null;
}

/** One finding for each change type that a branch has commits of. @param before the stored state, by id */
function findingsOfBranch(
  { branch, commits, squash }: BranchMaterial,
  { history, origin, before }: { readonly history: History; readonly origin: GitOrigin; readonly before: ReadonlyMap<string, FollowedFinding> },
): readonly FollowedMatter[] {
  return [...grouped(commits, (commit) => commit.changeType ?? OTHER)].map(([changeType, ofType]) => {
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

function matterOfStored(followed: FollowedFinding, stored: Finding): FollowedMatter {
  const { count, commits } = followed;
  const { commitSha: storedSha, ...evidence } = stored.evidence;
  const commitSha = count === null ? storedSha : count === 1 ? commits[0]?.sha : undefined;
  return { followed, matter: { ...stored, count, evidence: { ...evidence, ...(commitSha !== undefined && { commitSha }) } } };
}

/** A stored finding of this source that nothing is remembered of, as after its state was lost. `null` if it is not one of this source. */
function forgotten(stored: Finding, origin: GitOrigin): FollowedFinding | null {
  const { id, changeType, evidence } = stored;
  if (findingIdOf(origin, evidence.branch, changeType) !== id) return null;
  const commits = evidence.commitSha === undefined ? [] : [{ sha: evidence.commitSha, patch: '', key: '' }];
  return { id, branch: evidence.branch, changeType, count: null, own: '', commits, tip: null, bases: [], squash: null, held: [] };
}

/** The keys by which the changes of a finding are found again. */
export function keysOf({ commits, squash }: FollowedFinding): readonly string[] {
  return [...commits, ...(squash === null ? [] : [squash])].flatMap(({ patch, key }) => (patch === '' ? [] : [key]));
}

export interface FindingsWorld {
  readonly git: Git;
  readonly history: History;
  readonly branches: Branches;
  readonly origin: GitOrigin;
  /** What earlier runs remember; `null` if nothing is remembered. */
  readonly state: FindingsState | null;
  readonly stored: ReadonlyMap<string, Finding>;
  readonly closed: ClosedBranches;
  /** Whether the configuration shows a branch of this name, if it existed. */
  readonly isShown: (branch: string) => boolean;
}

export interface Followed {
  /** Of commits that a branch has for itself. */
  readonly present: readonly FollowedMatter[];
  /** Of commits that their branch no longer has for itself. */
  readonly past: readonly FollowedMatter[];
  /** Findings of branches that cannot be read in this run. */
  readonly untold: readonly FollowedFinding[];
  /** The ids of stored findings whose branch must not be shown any more. */
  readonly hidden: readonly string[];
}

export async function followFindings(world: FindingsWorld): Promise<Followed> {
  const remembered = new Map((world.state?.findings ?? []).map((finding) => [finding.id, finding]));
  const byBranch = grouped(remembered.values(), ({ branch }) => branch);
  const withCommits = world.branches.live.filter(({ own }) => own.length > 0);
  const known = new Map(withCommits.map((branch) => [branch, knownFindings(branch, world, byBranch.get(branch.name) ?? [])]));
  const changed = withCommits.filter((branch) => (known.get(branch) ?? []).length === 0);
  const materials = await readMaterials(changed, world);
  const made = materials.flatMap((material) => findingsOfBranch(material, { ...world, before: remembered }));
  const present = [...[...known.values()].flat(), ...made];
  const isPresent = new Set(present.map(({ followed }) => followed.id));
  const rest = allFollowed(world).filter(({ id }) => !isPresent.has(id));
  const isHidden = ({ branch }: FollowedFinding): boolean => !isLive(branch, world) && !world.isShown(branch);
  const { defaultTip, untold } = world.branches;
  const isUntold = (finding: FollowedFinding): boolean => !isHidden(finding) && (defaultTip === null || untold.has(finding.branch));
  return {
    present,
    past: rest
      .filter((finding) => !isHidden(finding) && !isUntold(finding))
      .flatMap((finding) => {
        // A finding whose record somebody has removed is not followed any more.
        const record = world.stored.get(finding.id);
        return record === undefined ? [] : [matterOfStored(finding, record)];
      }),
    untold: rest.filter(isUntold),
    hidden: rest.filter(isHidden).map(({ id }) => id),
  };
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

function allFollowed({ stored, origin, state }: FindingsWorld): readonly FollowedFinding[] {
  const remembered = state?.findings ?? [];
  const ids = new Set(remembered.map(({ id }) => id));
  return [...remembered, ...[...stored.values()].flatMap((finding) => (ids.has(finding.id) ? [] : (forgotten(finding, origin) ?? [])))];
}

function isLive(branch: string, { branches }: FindingsWorld): boolean {
  return branches.untold.has(branch) || branches.live.some(({ name }) => name === branch);
}

async function readMaterials(changed: readonly LiveBranch[], { git, history, origin }: FindingsWorld): Promise<readonly BranchMaterial[]> {
  const places = [...new Set(changed.flatMap(({ own }) => own))];
  const shas = places.map((place) => history.shaAt(place));
  const commits = new Map<string, Commit>();
  for await (const raw of readCommits(git, shas, true))
    if (isDated(raw)) commits.set(raw.sha, commitRecord(raw, { branch: null, observedAt: 0, isWhole: true }, origin));
  await readPatchesInto(history, git, places);
  const compared = changed.flatMap(({ tip, bases: [base], own }) => (base === undefined || own.length < 2 ? [] : [{ sha: tip, base }]));
  const patches = await readPatchIds(git, compared);
  const keys = new Map<string, string>();
  for await (const [sha, { key }] of readNotes(git, compared)) keys.set(sha, key ?? '');
  return changed.map((branch) => {
    const [patch = '', key = ''] = [patches.get(branch.tip), keys.get(branch.tip)];
    const own = branch.own.flatMap((place) => commits.get(history.shaAt(place)) ?? []);
    return { branch, commits: own, squash: patch === '' || branch.own.length < 2 ? null : { patch, key } };
  });
}

export async function readPatchesInto(history: History, git: Git, places: readonly number[]): Promise<void> {
  const missing = places.filter((place) => history.patchAt(place) === null).map((place) => ({ sha: history.shaAt(place) }));
  for (const [sha, patch] of await readPatchIds(git, missing)) {
    const place = history.placeOf(sha);
    if (place !== null) history.learn(place, { patch });
  }
}

/** Whether all changes of a past finding are still on its branch, as after a rebase that gave the commits other titles. Then another finding tells of them. */
export function isToldOtherwise({ branch, commits }: FollowedFinding, { history, branches }: FindingsWorld): boolean {
  const own = branches.live.find(({ name }) => name === branch)?.own ?? [];
  const patches = new Set(own.flatMap((place) => history.patchAt(place) ?? []));
  return commits.length > 0 && commits.every(({ patch }) => patch !== '' && patches.has(patch));
}
