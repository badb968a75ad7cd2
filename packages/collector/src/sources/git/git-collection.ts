import type { Instant, RepositoryName, RepositoryRef, Sync } from '@vitrine/core';
import type { ForgeAddresses } from './forge-addresses.js';
import type { SourceContext } from '../../running/source.js';
import type { GitRefs, GitRef } from './git-refs.js';
import type { Git } from './git.js';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { parseState } from '../../running/registered-source.js';

export interface GitOrigin {
  readonly ref: RepositoryRef;
  readonly name: RepositoryName;
  readonly addresses: ForgeAddresses;
  readonly label: string;
}

/** One run of a git source. It works on the refs as they were at one moment. */
export interface GitCollection {
  readonly context: SourceContext;
  readonly git: Git;
  readonly refs: GitRefs;
  readonly origin: GitOrigin;
  /** Whether a commit is stored without its changes if git cannot read them; otherwise the run fails. */
  readonly toleratesGaps: boolean;
  readonly observedAt: Instant;
  /** What the last run has stored in the present form. */
  readonly known: Pick<SyncState, 'edge' | 'mailmap' | 'gaps' | 'tags'>;
  /** Whether every record is created again. */
  readonly isNew: boolean;
}

const MARK_LENGTH = 10;

const schema = z.object({
  /** A hash of everything outside the repository that its records depend on. */
  shape: z.string(),
  /** The hash of the refs whose records are all stored. */
  refs: z.string(),
  /** The commits whose changes were unknown, because the shallow clone ended there. */
  edge: z.array(z.string()),
  /** The id of the `.mailmap` that names the authors; `null`: none does. Earlier versions did not remember it. */
  mailmap: z.string().nullable().default(null),
  /** The number of commits that are stored without their changes because git could not read them, and one of them as an example. */
  gaps: z.object({ count: z.number(), example: z.string().nullable() }),
  tags: z.string().transform((text): readonly string[] => text.match(/.{10}/g) ?? []),
  commits: z.number(),
  releases: z.number(),
});

export type SyncState = Readonly<z.output<typeof schema>>;
export type Gaps = Readonly<SyncState['gaps']>;

export const NOTHING_KNOWN: GitCollection['known'] = { edge: [], mailmap: null, gaps: { count: 0, example: null }, tags: [] };

/** Increase this if records are created in a different way, so that all of them are created again. */
const RECORDS_VERSION = 5;

export function shapeOf({ ref, name, addresses, label }: GitOrigin): string {
  const facts = [RECORDS_VERSION, ref, name.fullName, addresses.commit('0'), addresses.tag('0'), label];
  return hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 16);
}

export function tagMark({ name, sha }: GitRef): string {
  return hash('sha256', `${sha} ${name}`, 'base64url').slice(0, MARK_LENGTH);
}

export function writeState(state: SyncState): string {
  return JSON.stringify({ ...state, tags: state.tags.join('') });
}

/** `null` if the state is invalid: the source then compares everything again. */
export function readState(sync: Sync | null): SyncState | null {
  return parseState(schema, sync?.state);
}
