import { commitsOf } from './branch-walk.js';
import type { GitCollection } from './git-collection.js';
import type { GitRef } from './git-refs.js';

/** The tags that are shown: all, or only those whose commit a shown branch reaches. A tag on a commit that is not public stays hidden. */
export async function shownTags(
  { git, refs }: Pick<GitCollection, 'git' | 'refs'>,
  reached: Pick<ReadonlySet<string>, 'has'>,
): Promise<readonly GitRef[]> {
  if (refs.hasAllTags || refs.tags.length === 0) return refs.tags;
  const commits = await commitsOf(
    git,
    refs.tags.map(({ sha }) => sha),
  );
  return refs.tags.filter((_, index) => reached.has(commits[index] ?? ''));
}
