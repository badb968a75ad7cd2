import { shaLines } from '../git/commit-log.js';

/** A commit, and the commit that it is compared with: its parent by default. */
export interface ComparedCommit {
  readonly sha: string;
  readonly base?: string;
}

/** The input of `git diff-tree --stdin`. */
export function comparedLines(commits: readonly ComparedCommit[]): Iterable<string> {
  return shaLines(commits.map(({ sha, base }) => (base === undefined ? sha : `${sha} ${base}`)));
}
