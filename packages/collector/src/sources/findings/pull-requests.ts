import { hash } from 'node:crypto';
import { MINUTE, type Instant } from '@vitrine/core';
import type { ForgePullRequest } from '../forge/forge-state.js';
import type { SourceContext } from '../../running/source.js';

/** What findings need of a pull request from one branch of a repository to another branch of it. */
export type PullRequest = Pick<ForgePullRequest, 'branch' | 'head' | 'base' | 'fate' | 'closedAt'>;

/** What the forge of a repository has said about its pull requests; none if nothing is known. */
export type ReadPullRequests = (context: Pick<SourceContext, 'collection' | 'signal'>) => Promise<readonly PullRequest[]>;

/** How far the clock of a person who commits may be ahead of that of the forge. */
const CLOCK_DIFFERENCE_MS = MINUTE;

/** Tells which branches ended when their pull requests were closed without merging. The order of the pull requests does not matter. */
export class ClosedBranches {
  readonly digest: string;
  /** When the last pull request of a branch with this last commit was closed. */
  readonly #closings = new Map<string, Instant>();

  /** @param defaultBranch only those that were to be merged into it count as closed; `null`: none */
  constructor(pullRequests: readonly PullRequest[], defaultBranch: string | null) {
    const alive = new Set(pullRequests.filter(({ fate }) => fate !== 'closed').map(({ head }) => head));
    for (const { branch, head, base, fate, closedAt } of pullRequests) {
      if (fate !== 'closed' || base !== defaultBranch || alive.has(head)) continue;
      const key = keyOf(branch, head);
      this.#closings.set(key, Math.max(this.#closings.get(key) ?? 0, closedAt ?? Infinity));
    }
    const lines = [...this.#closings].map(([key, closing]) => `${key} ${closing}`).sort();
    this.digest = hash('sha256', lines.join('\n'), 'base64url');
  }

  /**
   * Whether a pull request to the default branch whose head is the last commit of the branch was closed without merging, and none with the same head is open or
   * merged.
   *
   * @param newest when the newest commit of the branch was made. Some servers name the present head of a closed pull request: a later commit was not closed with it
   */
  has(branch: string, tip: string, newest: Instant): boolean {
    const closing = this.#closings.get(keyOf(branch, tip));
    return closing !== undefined && newest <= closing + CLOCK_DIFFERENCE_MS;
  }
}

/** A commit id has no space. */
function keyOf(branch: string, head: string): string {
  return `${head} ${branch}`;
}
