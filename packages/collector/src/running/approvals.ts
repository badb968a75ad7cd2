import { Allowlist, approvedEntries, candidateEntries, nameOfRef, NO_REPOSITORY, parseRepositoryName, repositoryRefOf } from '@vitrine/core';
import { asciiLowerCase, formatInstant, parseDateTime, UnavailableError } from '@vitrine/core';
import type { AllowlistEntry, ApprovalFacts, ApprovedRepositories, ListedRepository, ScopeRef } from '@vitrine/core';
import type { ConfigurationReader, Instant, ReadContext, Sync } from '@vitrine/core';
import { isOwnerListId, parseOwnerList, repositoriesOf, ownerListId } from '../sources/owner-list/owner-list.js';
import { z } from 'zod';
import { parseState, configurationSync } from './registered-source.js';
import { hash } from 'node:crypto';
import type { Approvals, Config, SourceConfig } from '@vitrine/config';

const PREFIX = 'configuration:hidden:';
const schema = z.object({
  since: z.iso.datetime(),
  reason: z.enum(['private', 'gone', 'other-id']),
  answers: z.object({ count: z.number().int().positive(), at: z.number() }).optional(),
});

/** What collectors have stored about which repositories may be shown. */
export interface StoredApprovals {
  /** The repositories of owners, by the id of the list. A list that cannot be read is missing, so it approves nothing. */
  readonly lists: ReadonlyMap<string, readonly ListedRepository[]>;
  /** By lower-case `owner/name`. */
  readonly hidden: ReadonlyMap<string, HiddenRepository>;
}

export const NOTHING_STORED: StoredApprovals = { lists: new Map(), hidden: new Map() };

export function isStoredApproval({ id }: Pick<Sync, 'id'>): boolean {
  return isOwnerListId(id) || id.startsWith(PREFIX);
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

/** Why a repository is hidden: its forge says that it is not public, that it does not exist, or that the name belongs to another repository now. */
export type HiddenReason = z.output<typeof schema>['reason'];

/** How often the forge has said so, counted at most once an hour. `at`: when it was counted last. */
export type HiddenAnswers = z.output<typeof schema>['answers'];

/** A repository that must not be shown, although it is approved, because its forge no longer shows it to the public. */
export interface HiddenRepository {
  readonly name: string;
  readonly since: Instant;
  readonly reason: HiddenReason;
  readonly answers?: HiddenAnswers;
}

export interface HiddenRepositoryFields extends Omit<HiddenRepository, 'name'> {
  readonly at: Instant;
  /** How often the forge is asked, in milliseconds. */
  readonly intervalMs: number;
}

export function hiddenRepositoryId(name: string): string {
  return PREFIX + asciiLowerCase(name);
}

const FORGE_SOURCE = /^(?:github|gitea|gitlab):(.+)$/;

/** The id of the sync record with which a source of a forge hides its repository, if it does; none for other sources. @param source the id of the source's sync record */
export function hiddenIdOfSource(source: string): readonly string[] {
  const name = FORGE_SOURCE.exec(source)?.[1] ?? '';
  return parseRepositoryName(name) === null ? [] : [hiddenRepositoryId(name)];
}

/** The sync record that hides a repository in every process that uses the store, until the record is removed. It is never published. @param name `owner/name` in any letter case */
export function hiddenRepositorySync(name: string, { since, reason, answers, at, intervalMs }: HiddenRepositoryFields): Sync {
  return configurationSync(hiddenRepositoryId(name), at, intervalMs, JSON.stringify({ since: formatInstant(since), reason, answers }));
}

/** The repository that a sync record hides; `null` if it hides none. A record whose state cannot be read hides its repository too. */
export function hiddenRepositoryOf({ id, state, firstAttemptAt }: Pick<Sync, 'id' | 'state' | 'firstAttemptAt'>): HiddenRepository | null {
  const name = id.startsWith(PREFIX) ? asciiLowerCase(id.slice(PREFIX.length)) : '';
  if (parseRepositoryName(name) === null) return null;
  const { since, ...said } = parseState(schema, state) ?? { since: '', reason: 'private' };
  return { name, since: parseDateTime(since) ?? firstAttemptAt ?? 0, ...said };
}

/** Tells which repositories would be approved if nothing was hidden. It is no permission. */
export type Candidates = Pick<ApprovedRepositories, 'admits'>;

/** The present permission, from the configuration and the store. It stays the same object until one of them approves something else. */
export class CurrentApproval {
  readonly #approvals: () => Approvals;
  readonly #stored: () => StoredApprovals | null;
  #made: { readonly approvals: Approvals; readonly stored: StoredApprovals; readonly approved: ApprovedRepositories } | null = null;

  /** @param approvals those of the configuration; may throw an `UnavailableError` @param stored `null` until the store was read */
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

  #facts() {
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

const REMEDY = 'The pattern in approved finds it when it is public, and no fork or archive unless the pattern says so.';

/** Gives sources that only a pattern approves the refs of their repositories, with the ids from the list of the owner. `skipped`: a line for each that no list has. */
export function boundSources(config: Pick<Config, 'approved' | 'patterns' | 'sources'>, stored: StoredApprovals) {
  const entries = new Map(candidatesOf(config, stored).map((entry) => [asciiLowerCase(entry.fullName), entry]));
  const skipped: string[] = [];
  const sources = config.sources.flatMap((source): readonly SourceConfig[] => {
    if (!('ref' in source) || source.ref === NO_REPOSITORY) return [source];
    const name = nameOfRef(source.ref);
    const entry = entries.get(name);
    if (entry !== undefined) return [boundTo(source, entry)];
    skipped.push(`${name} is not in the list of its owner, so its source is skipped. ${REMEDY}`);
    return [];
  });
  return { sources, skipped };
}

function boundTo(source: SourceConfig & { readonly ref: ScopeRef }, { forgeId, ...name }: AllowlistEntry): SourceConfig {
  const bound = { ...source, ref: repositoryRefOf(name, forgeId) };
  return bound.kind === 'git' || bound.kind === 'forge' ? { ...bound, name } : bound;
}
