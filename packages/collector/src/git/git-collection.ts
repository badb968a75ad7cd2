import type { Instant } from '@vitrine/core';
import type { SourceContext } from '../source.js';
import type { Registration } from '../sync-records.js';
import type { GitOrigin } from './git-origin.js';
import type { GitRefs } from './git-refs.js';
import type { Git } from './git.js';

/** One run of a git source. It works on the refs as they were at one moment. */
export interface GitCollection {
  readonly context: SourceContext;
  readonly git: Git;
  readonly refs: GitRefs;
  readonly origin: GitOrigin;
  readonly source: { readonly id: string; readonly intervalMs: number; readonly registration: Registration };
  /** When the run started. */
  readonly startedAt: Instant;
  /** Whether a commit is stored without its changes if git cannot read them; otherwise the run fails. */
  readonly toleratesGaps: boolean;
}
