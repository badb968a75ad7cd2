import { NO_REPOSITORY, type RepositoryRef } from '@vitrine/core';
import type { Commits } from '../writers/commits.js';

/** Clears the stored state of sources of other repositories, so that they collect everything again after an approval. */
export async function clearSourceStates(commits: Commits, approved: readonly RepositoryRef[]): Promise<void> {
  const others = { repositoryRef: { $nin: [...approved, NO_REPOSITORY] }, state: { $ne: null } };
  await commits.commit((into) => into('syncs').updateAll(others, { $set: { state: null } }));
}
