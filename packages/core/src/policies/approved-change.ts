import { scopeTag } from '../domain/record-key.js';
import type { ScopeRef } from '../domain/repositories/repository-name.js';
import type { ApprovedRepositories } from './allowlist.js';

/** What a change says about the scope of its record. */
interface ScopedChange {
  readonly key: string | null;
  readonly repositoryRef: ScopeRef | null;
}

const TAG = / ([0-9a-f]{16})$/;
/** A cache: many deleted records may be compared with one list. */
const tagsOfLists = new WeakMap<ApprovedRepositories, ReadonlySet<string>>();

/**
 * Whether a change can concern an answer under this permission. A change of a repository that is not approved must change nothing that a client can see, not
 * even the age of an answer. If the store does not know the repository, the tag in the key is compared with the tags of the approved refs.
 */
export function isApprovedChange({ key, repositoryRef }: ScopedChange, approved: ApprovedRepositories): boolean {
  if (repositoryRef !== null) return approved.admits(repositoryRef);
  const tag = key === null ? undefined : TAG.exec(key)?.[1];
  return tag === undefined || tagsOf(approved).has(tag);
}

function tagsOf(approved: ApprovedRepositories): ReadonlySet<string> {
  const tags = tagsOfLists.get(approved) ?? new Set(approved.refs.map((ref) => scopeTag(ref)));
  tagsOfLists.set(approved, tags);
  return tags;
}
