import {
  type ConfigurationReader,
  type ListedRepository,
  type ReadContext,
  type Sync,
  asciiLowerCase,
  formatInstant,
  parseDateTime,
  parseRepositoryName,
  type Instant,
} from '@vitrine/core';
import { isOwnerListId, parseOwnerList, repositoriesOf } from '../sources/owner-list/owner-list.js';
import { z } from 'zod';
import { parseState } from './registered-source.js';
import { configurationSync } from './sync-records.js';

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

/** Whether a sync record says which repositories may be shown. */
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

/** The id of the sync record that hides a repository. @param name in any letter case */
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
