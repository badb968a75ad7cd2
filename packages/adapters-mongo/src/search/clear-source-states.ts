import { NO_REPOSITORY, type RepositoryRef } from '@vitrine/core';
import type { Collections } from '../collections.js';

/** Clears what sources remember about other repositories, so that they collect everything again after an approval. */
export async function clearSourceStates(collections: Collections, approved: readonly RepositoryRef[]): Promise<void> {
  const others = { repositoryRef: { $nin: [...approved, NO_REPOSITORY] }, state: { $ne: null } };
  await collections.of('syncs').updateMany(others, { $set: { state: null } });
}
