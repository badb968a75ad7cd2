import type { KindFacts } from './fields.js';
import type { Instant } from './instant.js';
import type { Provenance } from './provenance.js';
import type { RepositoryRef } from './repository-name.js';

export interface Commit {
  readonly kind: 'commit';
  readonly repositoryRef: RepositoryRef;
  /** 40 or 64 lower-case hexadecimal digits. */
  readonly sha: string;
  readonly title: string;
  readonly description: string;
  readonly authorName: string;
  /** `""` when unknown. */
  readonly authorLogin: string;
  /** The default branch if it contains the commit, otherwise the first branch by name that contains it. */
  readonly branch: string | null;
  readonly additions: number;
  readonly deletions: number;
  readonly filesChanged: number;
  /** `feature fix docs tests refactor performance build ci dependencies security revert chore other`; `null` if unclassified. */
  readonly changeType: string | null;
  readonly committedAt: Instant;
  /** At most {@link MAX_CHANGED_PATHS}. Used to derive the change type; no response contains them. */
  readonly changedPaths: readonly string[];
  readonly provenance: Provenance;
}

export const MAX_CHANGED_PATHS = 50;

export const COMMIT_FACTS = {
  plural: 'commits',
  ownership: 'always',
  reader: 'own',
  filters: ['branch', 'author', 'changeType'],
  ownUrls: [],
  fixedTimes: [],
  filledTimes: [],
} as const satisfies KindFacts<Commit>;

const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const ABBREVIATION = /^[0-9a-f]{7,64}$/;

/** Whether the text is a full commit id: 40 or 64 lower-case hexadecimal digits. */
export function isSha(text: string): boolean {
  return SHA.test(text);
}

/** Returns a full sha, or an abbreviation of at least 7 digits, in lower case; `null` for any other text. */
export function parseShaPrefix(text: string): string | null {
  const lower = text.toLowerCase();
  return ABBREVIATION.test(lower) && lower.length === text.length ? lower : null;
}
