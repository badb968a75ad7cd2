import { isRefusal } from './available-commits.js';
import type { CommitsReport } from './collect-commits.js';
import { readCommits } from './commit-log.js';
import type { GitCollection } from './git-collection.js';
import { NO_GAPS, type Gaps } from './sync-state.js';

/** Whether git can now read objects that it could not read at an earlier run. If gaps are not tolerated, throws git's error while it cannot. */
export async function hasClosedGap({ git, toleratesGaps }: GitCollection, { example }: Gaps): Promise<boolean> {
  if (example === null) return false;
  try {
    for await (const commit of readCommits(git, [example], true)) if (commit.sha === example) return true;
    return false;
  } catch (error) {
    if (toleratesGaps && isRefusal(error)) return false;
    throw error;
  }
}

/** The gaps of all runs. Gaps of removed commits still count, but the result never exceeds the number of commits. */
export function mergedGaps(before: Gaps = NO_GAPS, { gaps, total }: CommitsReport): Gaps {
  return { count: Math.min(before.count + gaps.count, total), example: gaps.example ?? before.example };
}
