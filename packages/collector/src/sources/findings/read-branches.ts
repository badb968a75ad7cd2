import { createHash, hash } from 'node:crypto';
import { commitsOf, readBlocks, readParents } from '../git/commit-log.js';
import { type Git, textOf } from '../git/git.js';
import { comparedLines, type ComparedCommit, Pauses } from './patch-ids.js';
import type { CommitNote, History, HistoryCommit, Marks } from './history.js';
import { GitError } from '../git/git-process.js';
import type { GitRef, GitRefs } from '../git/git-refs.js';
import { grouped } from '@vitrine/core';
import { publicBranch } from '../git/public-text.js';

/** As a plumbing command it does not depend on the user's configuration. Renames stay two paths, as in patch ids. */
const PATHS = ['diff-tree', '--stdin', '--always', '--root', '-r', '-z', '--name-only', '--no-renames', '--ignore-submodules=none'];
const FORMAT = ['--encoding=UTF-8', '--format=%x00%H%x00%B'];
const FIELDS = 2;
const KEY_LENGTH = 16;
/** Of longer histories, only the last commits are compared with the changes of branches. */
const MOST_COMPARED = 200_000;
/** No person reverts more commits with one. */
const MOST_REVERTS = 100;
const REVERT = /\bThis reverts commit ([0-9a-f]{64}|[0-9a-f]{40})\b/g;

/** Adds all commits that lead to the tips, which can be tag objects too. Only commits that are not known yet are read. Throws a `GitError` if a commit cannot be read. */
async function readCommitsInto(history: History, git: Git, tips: readonly string[]): Promise<void> {
  const unknown = [...new Set(tips)].filter((tip) => !history.has(tip));
  if (unknown.length === 0) return;
  // A repository that was created again with objects of another format takes the former names for abbreviations.
  const known = [...history.heads(), ...tips.filter((tip) => history.has(tip))].filter(({ length }) => length === unknown[0]?.length);
  // A known commit may be gone from the repository by now.
  const options = ['--topo-order', '--reverse', '--ignore-missing'];
  for await (const [sha, ...parents] of readParents(git, options, [...unknown, ...known.map((head) => `^${head}`)])) history.add(sha, parents);
}

/** Reads the changes of the last commits of the history, and the commits that they revert, as far as they are not known. */
export async function readMissingNotes(history: History, git: Git, shallow: readonly string[]): Promise<void> {
  const edge = new Set(shallow);
  const wanted: ComparedCommit[] = [];
  for (const commit of history.commits.slice(-MOST_COMPARED)) {
    if (commit.note !== null || edge.has(commit.sha)) continue;
    if (commit.parents.length < 2) wanted.push(commit);
    else commit.note = { key: null, reverts: [] };
  }
  for await (const [sha, note] of readNotes(git, wanted)) for (const commit of history.known([sha])) commit.note = note;
}

/** The changes of each commit, compared with its parent or with another commit. */
export async function* readNotes(git: Git, wanted: readonly ComparedCommit[]): AsyncGenerator<readonly [sha: string, note: CommitNote]> {
  if (wanted.length === 0) return;
  yield* readBlocks(git.tokens([...PATHS, ...FORMAT], comparedLines(wanted)), FIELDS, ([sha = Buffer.alloc(0), message = Buffer.alloc(0)]) => {
    const paths = createHash('sha256');
    return {
      // A line break separates the message from the first path.
      take: (path) => void paths.update(path[0] === NEWLINE ? path.subarray(1) : path).update('\0'),
      done: () => [sha.toString('latin1'), { key: paths.digest('base64url').slice(0, KEY_LENGTH), reverts: revertsIn(textOf(message)) }],
    };
  });
}

const NEWLINE = 10;

function revertsIn(message: string): readonly string[] {
  if (!message.includes('This reverts commit')) return [];
  return [...message.matchAll(REVERT)].slice(0, MOST_REVERTS).flatMap(([, sha]) => sha ?? []);
}

/** More branches, and more commits of branches, are not followed. */
const MOST_BRANCHES = 1_000;
const MOST_COMMITS = 50_000;
const TOO_MANY = 'there are too many; list the branches that matter in the key branches';

/** A branch with more own commits is another line of development. */
export const MOST_OWN_COMMITS = 2_000;

export interface LiveBranch extends GitRef {
  /** Its own commits, parents before children, without merges. */
  readonly own: readonly HistoryCommit[];
  /** The last commits that it shares with the default branch; none if the histories are unrelated. */
  readonly bases: readonly string[];
  /** Its name as it is shown. */
  readonly shown: string;
  readonly digest: string;
}

export interface Branches {
  /** `null`: nothing can be compared. */
  readonly defaultTip: string | null;
  readonly live: ReadonlyMap<string, LiveBranch>;
  /** Branches that exist, but cannot or must not be read. */
  readonly untold: ReadonlySet<string>;
  readonly tags: readonly GitRef[];
  readonly warnings: readonly string[];
}

/** Reads the commits of all branches and tags into the history, and compares the branches with the default branch. */
export async function readBranches(history: History, git: Git, refs: GitRefs, defaultBranch: string): Promise<Branches> {
  await readCommitsInto(history, git, shasOf([...refs.branches, ...(refs.hasAllTags ? refs.tags : [])]));
  const [tips, tagged] = [await tipsOf(history, git, refs.branches), await tipsOf(history, git, refs.tags)];
  const lost = tips.find(({ sha }) => !history.has(sha));
  if (lost !== undefined) throw new GitError(`the commit ${lost.sha} of a branch cannot be read: check the repository with git fsck`);
  const shown = history.reach(history.known(shasOf(tips)));
  const tags = refs.hasAllTags ? tagged : tagged.filter(({ sha }) => shown[history.get(sha)?.place ?? -1] === 1);
  const defaultTip = tips.find(({ name }) => name === defaultBranch)?.sha ?? '';
  const others = tips.filter(({ name }) => name !== defaultBranch);
  return { defaultTip, tags, ...(await compared(history, others, defaultTip, new Set(refs.shallow))) };
}

function shasOf(refs: readonly GitRef[]): readonly string[] {
  return refs.map(({ sha }) => sha);
}

/** The refs with the commits to which their objects lead. */
async function tipsOf(history: History, git: Git, refs: readonly GitRef[]): Promise<readonly GitRef[]> {
  const commits = await commitsOf(git, shasOf(refs), history);
  return refs.map(({ name, sha }, index) => ({ name, sha: commits[index] ?? sha }));
}

async function compared(history: History, tips: readonly GitRef[], defaultTip: string, edge: ReadonlySet<string>) {
  const inDefault = history.reach(history.known([defaultTip]));
  const live = new Map<string, LiveBranch>();
  /** The reasons, by the names of branches. */
  const untold = new Map<string, string>();
  const pauses = new Pauses();
  let commitsLeft = MOST_COMMITS;
  const branchAt = ({ name, sha }: GitRef): LiveBranch | string => {
    const shown = publicBranch(name);
    if (shown === null) return 'their names contain an email address';
    if (live.size >= MOST_BRANCHES) return TOO_MANY;
    const { own, bases, isCut, isTooLong } = branchView(history, inDefault, sha, edge);
    if (isCut) return 'the clone is shallow and ends before they begin; fetch the history with --unshallow';
    if (isTooLong) return `they have more than ${MOST_OWN_COMMITS} commits of their own`;
    if (own.length > commitsLeft) return TOO_MANY;
    const shas = own.map((commit) => commit.sha).sort();
    return { name, sha, shown, own, bases, digest: hash('sha256', [sha, ...shas].join(' '), 'base64url') };
  };
  for (const ref of tips) {
    await pauses.take();
    const branch = branchAt(ref);
    if (typeof branch === 'string') untold.set(ref.name, branch);
    else {
      live.set(ref.name, branch);
      commitsLeft -= branch.own.length;
    }
  }
  const reasons = grouped(untold.values(), (reason) => reason);
  const warnings = [...reasons].map(([reason, { length }]) => `branches without findings, because ${reason}: ${length}`);
  return { live, untold: new Set(untold.keys()), warnings };
}

/** What a branch has that the default branch does not contain. @param edge the commits whose parents were not fetched */
export function branchView(history: History, inDefault: Marks, tip: string, edge: ReadonlySet<string>) {
  const seen = new Set<HistoryCommit>();
  const shared: HistoryCommit[] = [];
  const waiting = [...history.known([tip])];
  for (let commit = waiting.pop(); commit !== undefined && seen.size <= MOST_OWN_COMMITS; commit = waiting.pop()) {
    if (inDefault[commit.place] === 1) shared.push(commit);
    else if (!seen.has(commit)) {
      seen.add(commit);
      waiting.push(...commit.parents);
    }
  }
  return {
    own: [...seen].filter(({ parents }) => parents.length < 2).sort((a, b) => a.place - b.place),
    bases: history.independent(shared),
    /** Whether the history that was fetched ends before the two branches meet, so that its own commits are unknown. */
    isCut: [...seen].some(({ sha }) => edge.has(sha)),
    /** Whether it has more than {@link MOST_OWN_COMMITS}; `own` is incomplete then. */
    isTooLong: seen.size > MOST_OWN_COMMITS,
  };
}
