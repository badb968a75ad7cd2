import type { Finding } from '@vitrine/core';
import type { GitOrigin } from '../git/git-origin.js';
import type { Git } from '../git/git.js';
import type { FindingsState, FollowedFinding } from './findings-state.js';
import { findingsOfBranch, forgotten, isSuperseded, matterOfStored, type BranchMaterial, type FollowedMatter } from './followed.js';
import type { History } from './history.js';
import { readOwnCommits } from './own-commits.js';
import { readPatchIds } from './patch-ids.js';
import type { ClosedBranches } from './pull-requests.js';
import { pushTo } from './push-to.js';
import type { Branches, LiveBranch } from './read-branches.js';
import { readNotes } from './read-history.js';

/** What a run starts from. */
export interface FindingsWorld {
  readonly git: Git;
  readonly history: History;
  readonly branches: Branches;
  readonly origin: GitOrigin;
  /** What earlier runs remember; `null` if nothing is remembered. */
  readonly state: FindingsState | null;
  /** The stored findings by their ids. */
  readonly stored: ReadonlyMap<string, Finding>;
  readonly closed: ClosedBranches;
  /** Whether the configuration shows a branch of this name, if it existed. */
  readonly isShown: (branch: string) => boolean;
}

/** All findings that this run has to judge, and those that it does not. */
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
  const byBranch = new Map<string, FollowedFinding[]>();
  for (const finding of remembered.values()) pushTo(byBranch, finding.branch, finding);
  const withCommits = world.branches.live.filter(({ own }) => own.length > 0);
  const known = new Map(withCommits.map((branch) => [branch, knownFindings(branch, world, byBranch.get(branch.name) ?? [])]));
  const changed = withCommits.filter((branch) => (known.get(branch) ?? []).length === 0);
  const materials = await readMaterials(changed, world);
  const made = materials.flatMap((material) => findingsOfBranch(material, { ...world, before: remembered }));
  const present = [...[...known.values()].flat(), ...made];
  const isPresent = new Set(present.map(({ followed }) => followed.id));
  const rest = allFollowed(world).filter(({ id }) => !isPresent.has(id));
  const isHidden = ({ branch }: FollowedFinding): boolean => !isLive(branch, world) && !world.isShown(branch);
  const isUntold = (finding: FollowedFinding): boolean => !isHidden(finding) && world.branches.untold.has(finding.branch);
  return {
    present,
    past: rest.filter((finding) => !isHidden(finding) && !isUntold(finding)).flatMap((finding) => withMatter(finding, world)),
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

/** Everything that is remembered or stored. */
export function allFollowed({ stored, origin, state }: Pick<FindingsWorld, 'stored' | 'origin' | 'state'>): readonly FollowedFinding[] {
  const remembered = state?.findings ?? [];
  const ids = new Set(remembered.map(({ id }) => id));
  return [...remembered, ...[...stored.values()].flatMap((finding) => (ids.has(finding.id) ? [] : (forgotten(finding, origin) ?? [])))];
}

/** A finding whose record somebody has removed is not followed any more. */
function withMatter(finding: FollowedFinding, { stored }: FindingsWorld): readonly FollowedMatter[] {
  const record = stored.get(finding.id);
  return record === undefined ? [] : [matterOfStored(finding, record)];
}

function isLive(branch: string, { branches }: FindingsWorld): boolean {
  return branches.untold.has(branch) || branches.live.some(({ name }) => name === branch);
}

/** Reads the commits of branches, and the change that each branch makes as a whole. */
async function readMaterials(changed: readonly LiveBranch[], { git, history, origin }: FindingsWorld): Promise<readonly BranchMaterial[]> {
  const places = [...new Set(changed.flatMap(({ own }) => own))];
  const shas = places.map((place) => history.shaAt(place));
  const commits = await readOwnCommits(git, shas, origin);
  await readPatchesInto(history, git, places);
  const compared = changed.flatMap(({ tip, bases: [base], own }) => (base === undefined || own.length < 2 ? [] : [{ sha: tip, base }]));
  const patches = await readPatchIds(git, compared);
  const keys = new Map<string, string>();
  await readNotes(git, compared, (sha, { key }) => void keys.set(sha, key ?? ''));
  return changed.map((branch) => {
    const [patch = '', key = ''] = [patches.get(branch.tip), keys.get(branch.tip)];
    const own = branch.own.flatMap((place) => commits.get(history.shaAt(place)) ?? []);
    return { branch, commits: own, squash: patch === '' || branch.own.length < 2 ? null : { patch, key } };
  });
}

/** Computes the patch ids that are missing. */
export async function readPatchesInto(history: History, git: Git, places: readonly number[]): Promise<void> {
  const missing = places.filter((place) => history.patchAt(place) === null).map((place) => ({ sha: history.shaAt(place) }));
  for (const [sha, patch] of await readPatchIds(git, missing)) {
    const place = history.placeOf(sha);
    if (place !== null) history.setPatch(place, patch);
  }
}

/** Whether the branch of a past finding has the same changes under another type. */
export function isToldOtherwise(finding: FollowedFinding, { history, branches }: FindingsWorld): boolean {
  const branch = branches.live.find(({ name }) => name === finding.branch);
  return branch !== undefined && isSuperseded(finding, new Set(branch.own.flatMap((place) => history.patchAt(place) ?? [])));
}
