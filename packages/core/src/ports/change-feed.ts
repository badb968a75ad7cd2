import type { RecordKind } from '../domain/record.js';
import type { ScopeRef } from '../domain/repositories/repository-name.js';
import type { Instant } from '../domain/shared/instant.js';
import type { SyncedKind } from '../domain/shared/sync.js';
import type { ReadContext } from './read-context.js';

/**
 * A place in the order of all changes of one store, as opaque text of at most 2,000 characters. It also names the store and its incarnation, so the
 * position of another store, or from before a backup was restored, is too old.
 */
export type FeedPosition = string;

/** What one write has changed. A write that changes nothing is no change, and neither is the end of the retention of raw checks. */
export interface StoreChange {
  /** `index`: search finds the record from now on, or no longer finds it. The record itself has not changed. */
  readonly operation: 'put' | 'remove' | 'index';
  /**
   * A repository also changes when its `latestRelease` or `latestActivityAt` does, or when search finds its records by another name. A change of a
   * repository concerns every answer that shows it beside a record.
   */
  readonly kind: RecordKind;
  /** The key of the record within its kind, as `keyOfIdentity` returns it. `null` for checks and daily counts, and for several records of the kind and repository. */
  readonly key: string | null;
  /** The scope of the record. `null` if the store knows only the key, or if records of any scope may be concerned. {@link isApprovedChange} decides. */
  readonly repositoryRef: ScopeRef | null;
  /** The service of a service, a check or daily counts; `null` for all other kinds. */
  readonly serviceKey: string | null;
  /** The start of the UTC day of checks or daily counts; `null` for all other kinds. A check can also change the counts of later days that it covers. */
  readonly day: Instant | null;
  /** `null` for all other kinds. */
  readonly sync: SyncEffect | null;
}

/** What a change of a sync record means for answers. */
export interface SyncEffect {
  /** The kinds that the source feeds, or fed before the change; sorted. */
  readonly feeds: readonly SyncedKind[];
  /** Whether no answer has changed, except the list of sources: only times of attempts and the source's own state did. */
  readonly onlyAttempts: boolean;
}

/** A change with the position after it. */
export interface FeedChange extends StoreChange {
  readonly position: FeedPosition;
}

/** What has changed since a position. */
export interface ChangesSince {
  /**
   * Whether the feed no longer knows every change since the position, or does not know the position. Then `changes` is empty. Forget what you know, read
   * everything, and continue from `position`: it was taken before this answer.
   */
  readonly isTooOld: boolean;
  /** Oldest first. Empty if nothing has changed. */
  readonly changes: readonly FeedChange[];
  /** Continue from here. It can be later than the position of the last change. */
  readonly position: FeedPosition;
}

export interface FeedQuery {
  /** At most this many changes, 1 to 1,000. If the answer holds fewer, there were no more. */
  readonly limit: number;
  /** How long to wait for a change if there is none yet, in milliseconds; 0 to 60,000. The answer comes as soon as there is one. */
  readonly waitMs: number;
}

/** The changes of a store in order, from all processes. */
export interface ChangeFeed {
  /**
   * The changes after a position, in the order in which readers saw them. Readers see each change that is in the answer. If a process writes to its own store, a
   * waiting call gets the change before that process handles its next event.
   *
   * Without a position the answer is `isTooOld`, at once: this is how a reader starts. Rejects if the store cannot be read or is closed, after a pause of a
   * second, so that the caller can try again at once. Rejects at once if the caller aborts.
   */
  changesSince(position: FeedPosition | null, query: FeedQuery, context: ReadContext): Promise<ChangesSince>;
}
