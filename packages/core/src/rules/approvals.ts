import { scopeTag } from '../kinds/identity.js';
import { type RepositoryName, type RepositoryRef, type ScopeRef, asciiLowerCase, repositoryRefOf } from '../kinds/repository-name.js';
import type { AllowlistEntry, ApprovedRepositories } from './allowlist.js';

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

/** A public repository as the forge lists it. */
export interface ListedRepository extends RepositoryName {
  readonly forgeId: string;
  readonly isFork: boolean;
  readonly isArchived: boolean;
}

/** Approves the public repositories of one owner. */
export interface ApprovalPattern {
  readonly owner: string;
  /** Which of the lists is the owner's. */
  readonly listId: string;
  /** What the pattern must not approve. */
  readonly except: readonly RepositoryName[];
  /** Whether it approves forks too. */
  readonly forks: boolean;
  /** Whether it approves archived repositories too. */
  readonly archived: boolean;
}

/** What decides which repositories are approved. */
export interface ApprovalFacts {
  /** The repositories that the configuration names. */
  readonly named: readonly AllowlistEntry[];
  readonly patterns: readonly ApprovalPattern[];
  /** The lists of forges, by their ids. Without its list, a pattern approves nothing. */
  readonly lists: ReadonlyMap<string, readonly ListedRepository[]>;
  /** Lower-case `owner/name` of repositories that must not be shown, even if an entry approves them. */
  readonly hidden: ReadonlySet<string>;
}

/** The named repositories and the matches of patterns, without exceptions and hidden ones. Of one name, the named entry counts, or else the first pattern. */
export function approvedEntries({ hidden, ...facts }: ApprovalFacts): readonly AllowlistEntry[] {
  return candidateEntries(facts).filter(({ fullName }) => !hidden.has(asciiLowerCase(fullName)));
}

/** The same with hidden repositories: the list as if no forge hid any. */
export function candidateEntries({ named, patterns, lists }: Omit<ApprovalFacts, 'hidden'>): readonly AllowlistEntry[] {
  const excepted = new Set(patterns.flatMap(({ except }) => except.map(refOf)));
  const listed = patterns.flatMap((pattern) => (lists.get(pattern.listId) ?? []).filter((repository) => isMeant(repository, pattern)));
  const entries = new Map<RepositoryRef, AllowlistEntry>();
  for (const { fullName, owner, name, forgeId } of [...named, ...listed]) {
    const ref = refOf({ fullName, owner, name });
    if (!entries.has(ref) && !excepted.has(ref)) entries.set(ref, { fullName, owner, name, forgeId });
  }
  return [...entries.values()];
}

/** A list may hold anything, so the owner is compared too. */
function isMeant({ owner, isFork, isArchived }: ListedRepository, pattern: ApprovalPattern): boolean {
  return asciiLowerCase(owner) === asciiLowerCase(pattern.owner) && (pattern.forks || !isFork) && (pattern.archived || !isArchived);
}

function refOf(name: RepositoryName): RepositoryRef {
  return repositoryRefOf(name, null);
}
