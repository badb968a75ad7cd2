import { asciiLowerCase, formatInstant, parseDateTime, parseRepositoryName, type Instant, type Sync } from '@vitrine/core';
import { z } from 'zod';
import { parseState } from './registered-source.js';
import { configurationSync } from './sync-records.js';

const PREFIX = 'configuration:hidden:';
const schema = z.object({
  since: z.iso.datetime(),
  reason: z.enum(['private', 'gone', 'other-id']),
  answers: z.object({ count: z.number().int().positive(), at: z.number() }).optional(),
});

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

export function isHiddenRepositoryId(id: string): boolean {
  return id.startsWith(PREFIX);
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
  const name = isHiddenRepositoryId(id) ? asciiLowerCase(id.slice(PREFIX.length)) : '';
  if (parseRepositoryName(name) === null) return null;
  const { since, ...said } = stateOf(state);
  return { name, since: parseDateTime(since) ?? firstAttemptAt ?? 0, ...said };
}

function stateOf(state: string | null): z.output<typeof schema> {
  return parseState(schema, state) ?? { since: '', reason: 'private' };
}
