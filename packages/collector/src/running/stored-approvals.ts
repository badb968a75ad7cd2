import type { ConfigurationReader, ListedRepository, ReadContext, Sync } from '@vitrine/core';
import { hiddenRepositoryOf, isHiddenRepositoryId, type HiddenRepository } from './hidden-repository.js';
import { isOwnerListId, parseOwnerList, repositoriesOf } from '../sources/owner-list/owner-list.js';

/** What collectors have stored about which repositories may be shown. */
export interface StoredApprovals {
  /** The repositories of owners, by the id of the list. A list that cannot be read is missing, so it approves nothing. */
  readonly lists: ReadonlyMap<string, readonly ListedRepository[]>;
  /** By lower-case `owner/name`. */
  readonly hidden: ReadonlyMap<string, HiddenRepository>;
}

export const NOTHING_STORED: StoredApprovals = { lists: new Map(), hidden: new Map() };

/** Whether a sync record says which repositories may be shown. */
export function isStoredApproval({ id }: Pick<Sync, 'id'>): boolean {
  return isOwnerListId(id) || isHiddenRepositoryId(id);
}

export async function readStoredApprovals(reader: ConfigurationReader, context: ReadContext): Promise<StoredApprovals> {
  return storedApprovalsOf(await reader.list(context));
}

export function storedApprovalsOf(syncs: readonly Sync[]): StoredApprovals {
  const lists = syncs.flatMap(({ id, state }) => {
    const pages = isOwnerListId(id) ? parseOwnerList(state) : null;
    return pages === null ? [] : ([[id, repositoriesOf(pages)]] as const);
  });
  const hidden = syncs.flatMap((sync) => hiddenRepositoryOf(sync) ?? []);
  return { lists: new Map(lists), hidden: new Map(hidden.map((repository) => [repository.name, repository])) };
}
