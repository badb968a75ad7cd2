import { asciiLowerCase, parseRepositoryName, type Instant, type Sync } from '@vitrine/core';
import { z } from 'zod';
import { configurationSync } from '../sync-records.js';

const PREFIX = 'configuration:hidden:';

const REASONS = ['private', 'gone', 'other-id'] as const;

/** Why a forge hides a repository: it is not public any more, there is none with this name, or the name belongs to another repository now. */
export type HiddenReason = (typeof REASONS)[number];

/** A repository that must not be shown, although it is approved. */
export interface HiddenRepository {
  /** Lower-case `owner/name`. */
  readonly name: string;
  /** When the forge said so first. */
  readonly since: Instant;
  readonly reason: HiddenReason;
}

const stateSchema = z.object({ since: z.iso.datetime(), reason: z.enum(REASONS) });

export interface HiddenRepositoryFields extends Omit<HiddenRepository, 'name'> {
  /** The time of the run. */
  readonly at: Instant;
  /** How often the repository is looked at, in milliseconds. */
  readonly intervalMs: number;
}

/** The sync record that hides a repository from every process that uses the store, until the record is removed. @param name `owner/name` in any letter case */
export function hiddenRepositorySync(name: string, { since, reason, at, intervalMs }: HiddenRepositoryFields): Sync {
  const state = JSON.stringify({ since: new Date(since).toISOString(), reason });
  return configurationSync(PREFIX + asciiLowerCase(name), at, intervalMs, state);
}

/** The repository that a sync record hides; `null` if the record is about something else. A record whose state cannot be read hides its repository too. */
export function hiddenRepositoryOf({ id, state, firstAttemptAt }: Pick<Sync, 'id' | 'state' | 'firstAttemptAt'>): HiddenRepository | null {
  const name = id.startsWith(PREFIX) ? parseRepositoryName(asciiLowerCase(id.slice(PREFIX.length))) : null;
  if (name === null) return null;
  const said = stateSchema.safeParse(jsonOf(state ?? ''));
  if (!said.success) return { name: name.fullName, since: firstAttemptAt ?? 0, reason: 'private' };
  return { name: name.fullName, since: Date.parse(said.data.since), reason: said.data.reason };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
