import { createHash } from 'node:crypto';
import type { Approvals } from '@vitrine/config';
import {
  Allowlist,
  approvedEntries,
  asciiLowerCase,
  candidateEntries,
  repositoryRefOf,
  UnavailableError,
  type AllowlistEntry,
  type ApprovalFacts,
  type ApprovedRepositories,
  type ScopeRef,
} from '@vitrine/core';
import { ownerListId } from './owner-list.js';
import type { StoredApprovals } from './stored-approvals.js';

/** What a permission was made from. */
interface Made {
  readonly approvals: Approvals;
  readonly stored: StoredApprovals;
  readonly approved: ApprovedRepositories;
}

/** Tells which repositories would be approved if nothing was hidden. It is no permission. */
export type Candidates = Pick<ApprovedRepositories, 'admits'>;

/** The present permission, from the configuration and the store. It stays the same object until one of them approves something else. */
export class CurrentApproval {
  readonly #approvals: () => Approvals;
  readonly #stored: () => StoredApprovals | null;
  #made: Made | null = null;

  /**
   * @param approvals those of the configuration; may throw an `UnavailableError`
   * @param stored `null` until the store was read
   */
  constructor(approvals: () => Approvals, stored: () => StoredApprovals | null) {
    [this.#approvals, this.#stored] = [approvals, stored];
  }

  /** Throws an `UnavailableError` before the store was read for the first time, because the hidden repositories are not known. */
  current(): ApprovedRepositories {
    const { approvals, stored } = this.#facts();
    const before = this.#made;
    if (before?.approvals === approvals && before.stored === stored) return before.approved;
    const made = approvedOf(approvals, stored);
    const approved = made.revision === before?.approved.revision ? before.approved : made;
    this.#made = { approvals, stored, approved };
    return approved;
  }

  /** What would be approved now if nothing was hidden. Throws as {@link current} does. */
  candidates(): Candidates {
    const { approvals, stored } = this.#facts();
    const refs = new Set<ScopeRef>(candidatesOf(approvals, stored).map((entry) => repositoryRefOf(entry, entry.forgeId)));
    return { admits: (ref) => refs.has(ref) };
  }

  #facts(): Omit<Made, 'approved'> {
    const [approvals, stored] = [this.#approvals(), this.#stored()];
    if (stored === null) throw new UnavailableError('The list of public repositories cannot be read at the moment.');
    return { approvals, stored };
  }
}

/** Whether a repository is approved unless it is hidden. Repositories that the configuration does not approve must not appear, not even in a log. @param name lower-case `owner/name` */
export function wouldApprove(approvals: Approvals, stored: StoredApprovals, name: string): boolean {
  return candidatesOf(approvals, stored).some(({ fullName }) => asciiLowerCase(fullName) === name);
}

/** The permission that the configuration and the store give together. Its revision is that of its content. */
export function approvedOf(approvals: Approvals, stored: StoredApprovals): ApprovedRepositories {
  const entries = approvedEntries({ ...factsOf(approvals, stored), hidden: new Set(stored.hidden.keys()) });
  const content = JSON.stringify(entries.map(({ fullName, forgeId }) => [fullName, forgeId]));
  return new Allowlist(entries, createHash('sha256').update(content).digest('hex').slice(0, 16)).approved();
}

/** What would be approved if nothing was hidden. */
export function candidatesOf(approvals: Approvals, stored: StoredApprovals): readonly AllowlistEntry[] {
  return candidateEntries(factsOf(approvals, stored));
}

function factsOf({ approved, patterns }: Approvals, { lists }: StoredApprovals): Omit<ApprovalFacts, 'hidden'> {
  return { named: approved, patterns: patterns.map((pattern) => ({ ...pattern, listId: ownerListId(pattern) })), lists };
}
