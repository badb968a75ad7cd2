import type { Commit, Instant } from '@vitrine/core';
import { readCommitDates } from '../git/commit-dates.js';
import { readCommits, type RawCommit } from '../git/commit-log.js';
import { claimedInstant, commitRecord } from '../git/commit-record.js';
import type { GitOrigin } from '../git/git-origin.js';
import type { Git } from '../git/git.js';

/** The commits as a git source would store them, by their shas. Throws a `GitError` if one cannot be read. */
export async function readOwnCommits(git: Git, shas: readonly string[], origin: GitOrigin): Promise<ReadonlyMap<string, Commit>> {
  const commits = new Map<string, Commit>();
  const undated: RawCommit[] = [];
  const add = (raw: RawCommit, claimed: Instant): void => {
    const facts = { branch: null, committedAt: claimedInstant(claimed), observedAt: 0, isWhole: true };
    commits.set(raw.sha, commitRecord(raw, facts, origin));
  };
  for await (const raw of readCommits(git, shas, true)) {
    if (raw.committed === '') undated.push(raw);
    else add(raw, Number(raw.committed) * 1_000);
  }
  const dates = await readCommitDates(
    git,
    undated.map(({ sha }) => sha),
  );
  for (const raw of undated) add(raw, dates.get(raw.sha) ?? 0);
  return commits;
}
