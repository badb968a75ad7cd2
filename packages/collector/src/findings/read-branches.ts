import { createHash } from 'node:crypto';
import { commitsOf } from '../git/branch-walk.js';
import { GitError } from '../git/git-error.js';
import type { GitRef, GitRefs } from '../git/git-refs.js';
import type { Git } from '../git/git.js';
import { publicBranch } from '../git/public-text.js';
import { branchView, MOST_OWN_COMMITS, type BranchView } from './branch-view.js';
import type { TaggedCommit } from './default-branch.js';
import type { NamedBranch } from './finding-record.js';
import type { History } from './history.js';
import { Pauses } from './pauses.js';
import { readCommitsInto } from './read-history.js';

/** More branches, and more commits of branches, are not followed. */
const MOST_BRANCHES = 1_000;
const MOST_COMMITS = 50_000;
const TOO_MANY = 'there are too many; list the branches that matter in the key branches';

/** A branch whose commits are known. */
export interface LiveBranch extends NamedBranch, BranchView {
  /** A hash of its own commits. */
  readonly digest: string;
}

/** The branches and tags at one moment. */
export interface Branches {
  readonly defaultTip: string;
  readonly live: readonly LiveBranch[];
  /** Branches that exist, but cannot or must not be read. */
  readonly untold: ReadonlySet<string>;
  readonly tags: readonly TaggedCommit[];
  readonly warnings: readonly string[];
}

/** Reads the commits of all branches and tags into the history, and compares the branches with the default branch. */
export async function readBranches(history: History, git: Git, refs: GitRefs, defaultBranch: string): Promise<Branches> {
  const all = await tipsOf(git, [...refs.branches, ...refs.tags]);
  const [tips, tagged] = [all.slice(0, refs.branches.length), all.slice(refs.branches.length)];
  await readCommitsInto(
    history,
    git,
    [...tips, ...(refs.hasAllTags ? tagged : [])].map(({ sha }) => sha),
  );
  const lost = tips.find(({ sha }) => history.placeOf(sha) === null);
  if (lost !== undefined) throw new GitError(`the commit ${lost.sha} of a branch cannot be read: check the repository with git fsck`);
  const shown = history.reach(history.placesOf(tips.map(({ sha }) => sha)));
  const tags = refs.hasAllTags ? tagged : tagged.filter(({ sha }) => shown[history.placeOf(sha) ?? -1] === 1);
  const defaultTip = tips.find(({ name }) => name === defaultBranch)?.sha ?? '';
  const others = tips.filter(({ name }) => name !== defaultBranch);
  return { defaultTip, tags, ...(await compared(history, others, { defaultTip, shallow: refs.shallow })) };
}

async function tipsOf(git: Git, refs: readonly GitRef[]): Promise<readonly GitRef[]> {
  if (refs.length === 0) return [];
  const commits = await commitsOf(
    git,
    refs.map(({ sha }) => sha),
  );
  return refs.map(({ name, sha }, index) => ({ name, sha: commits[index] ?? sha }));
}

type Compared = Pick<Branches, 'live' | 'untold' | 'warnings'>;

async function compared(
  history: History,
  tips: readonly GitRef[],
  from: { readonly defaultTip: string; readonly shallow: readonly string[] },
): Promise<Compared> {
  const inDefault = history.reach(history.placesOf([from.defaultTip]));
  const edge = new Set(from.shallow);
  const live: LiveBranch[] = [];
  const untold = new Set<string>();
  const reasons: string[] = [];
  const pauses = new Pauses();
  let commits = 0;
  for (const { name, sha } of tips) {
    await pauses.take();
    const shown = publicBranch(name);
    const view = shown === null || live.length >= MOST_BRANCHES ? null : branchView(history, inDefault, { name, tip: sha, edge });
    const reason = untoldReason(view, shown, MOST_COMMITS - commits);
    if (shown === null || view === null || reason !== null) {
      untold.add(name);
      if (reason !== null) reasons.push(reason);
      continue;
    }
    commits += view.own.length;
    live.push({ ...view, shown, digest: digestOf(history, view) });
  }
  return { live, untold, warnings: warningsOf(reasons) };
}

function warningsOf(reasons: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `branches without findings, because ${reason}: ${count}`);
}

/** @param view `null` if no more branches are followed. @param commitsLeft how many commits may still be followed */
function untoldReason(view: BranchView | null, shown: string | null, commitsLeft: number): string | null {
  if (shown === null) return 'their names contain an email address';
  if (view === null) return TOO_MANY;
  if (view.isCut) return 'the clone is shallow and ends before they begin; fetch the history with --unshallow';
  if (view.isTooLong) return `they have more than ${MOST_OWN_COMMITS} commits of their own`;
  return view.own.length > commitsLeft ? TOO_MANY : null;
}

function digestOf(history: History, { own, tip }: BranchView): string {
  const shas = own.map((place) => history.shaAt(place)).sort();
  return createHash('sha256')
    .update([tip, ...shas].join(' '))
    .digest('base64url');
}
