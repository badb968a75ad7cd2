import type { ScopeRef } from '../repositories/repository-name.js';
import type { Instant } from './instant.js';

/** The kinds of records whose freshness is judged. */
export const SYNCED_KINDS = [
  'repository',
  'commit',
  'release',
  'finding',
  'build',
  'mission',
  'news',
  'article',
  'video',
  'check',
  'incident',
] as const;
export type SyncedKind = (typeof SYNCED_KINDS)[number];

/** What a source's runs left behind: how fresh its kinds are, and where its next run goes on. */
export interface Sync {
  readonly kind: 'sync';
  /** Stable identity of the source, such as `git acme/widget`. */
  readonly id: string;
  /** The repository that the source feeds, or `-`. */
  readonly repositoryRef: ScopeRef;
  readonly feeds: readonly SyncedKind[];
  readonly lastSuccessAt: Instant;
  readonly intervalMs: number;
  /** The source's own memory; opaque to everybody else. */
  readonly state: string | null;
}

/** What readers are told of a source's runs. */
export type SyncTimes = Omit<Sync, 'state'>;
