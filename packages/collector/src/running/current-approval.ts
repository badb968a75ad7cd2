import { hash } from 'node:crypto';
import type { Approvals, Config, SourceConfig } from '@vitrine/config';
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
  nameOfRef,
  NO_REPOSITORY,
} from '@vitrine/core';
import { ownerListId } from '../sources/owner-list/owner-list.js';
import type { StoredApprovals } from './stored-approvals.js';

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
  return new Allowlist(entries, hash('sha256', content, 'hex').slice(0, 16)).approved();
}

function candidatesOf(approvals: Approvals, stored: StoredApprovals): readonly AllowlistEntry[] {
  return candidateEntries(factsOf(approvals, stored));
}

function factsOf({ approved, patterns }: Approvals, { lists }: StoredApprovals): Omit<ApprovalFacts, 'hidden'> {
  return { named: approved, patterns: patterns.map((pattern) => ({ ...pattern, listId: ownerListId(pattern) })), lists };
}

type SourceApprovals = Pick<Config, 'approved' | 'patterns' | 'sources'>;

interface BoundSources {
  readonly sources: readonly SourceConfig[];
  /** One line for each source that is left out: its repository, and why. */
  readonly skipped: readonly string[];
}

/** Gives the sources of repositories that only a pattern approves their refs, with the ids from the list of the owner. Those that no list has are left out. */
export function boundSources(config: SourceApprovals, stored: StoredApprovals): BoundSources {
  const entries = new Map(candidatesOf(config, stored).map((entry) => [asciiLowerCase(entry.fullName), entry]));
  const skipped: string[] = [];
  const sources = config.sources.flatMap((source): readonly SourceConfig[] => {
    if (!('ref' in source) || source.ref === NO_REPOSITORY) return [source];
    const entry = entries.get(nameOfRef(source.ref));
    if (entry === undefined) skipped.push(skippedLine(nameOfRef(source.ref)));
    return entry === undefined ? [] : [boundTo(source, entry)];
  });
  return { sources, skipped };
}

function boundTo(source: SourceConfig & { readonly ref: ScopeRef }, { forgeId, ...name }: AllowlistEntry): SourceConfig {
  const bound = { ...source, ref: repositoryRefOf(name, forgeId) };
  return bound.kind === 'git' || bound.kind === 'forge' ? { ...bound, name } : bound;
}

function skippedLine(name: string): string {
  return `${name} is not in the list of its owner, so its source is skipped. The pattern in approved finds it when it is public, and no fork or archive unless the pattern says so.`;
}
