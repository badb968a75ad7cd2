import type { RecordKind } from '../domain/record.js';
import type { NO_REPOSITORY, ScopeRef } from '../domain/repositories/repository-name.js';
import type { SyncedKind } from '../domain/shared/sync.js';

type StatusKind = 'service' | 'check' | 'status-day';

/**
 * Records of one kind and one repository (`-` for none) have changed, or search finds more or fewer of them. A repository counts as changed also when its
 * `latestRelease` or `latestActivityAt` has changed. A change of a repository concerns every answer that shows it beside a record.
 */
export interface RecordChange {
  readonly kind: Exclude<RecordKind, StatusKind | 'sync'>;
  readonly repositoryRef: ScopeRef;
}

/** A service, its checks, or its daily counts have changed. */
export interface ServiceChange {
  readonly kind: StatusKind;
  readonly repositoryRef: typeof NO_REPOSITORY;
  readonly serviceKey: string;
}

/** Sync records of sources of one repository (`-` for none) have changed. */
export interface SyncChange {
  readonly kind: 'sync';
  readonly repositoryRef: ScopeRef;
  /** The kinds that the sources feed, or fed before the change; sorted. */
  readonly feeds: readonly SyncedKind[];
  /** Whether no answer has changed, except the list of sources: only times of attempts and the sources' own state did. */
  readonly onlyAttempts: boolean;
}

/** What one batch may have changed. */
export type StoreChange = RecordChange | ServiceChange | SyncChange;

/** A listener must return quickly, because the write waits for it. */
export type StoreChangeListener = (changes: readonly StoreChange[]) => void;

/** Tells what is written to a store in this process. */
export interface StoreChanges {
  /**
   * From now on, the listener is called once for each batch that has changed something: as soon as readers see the batch, and before the write resolves.
   * It gets at least one change, and no change twice. A long write has several batches. If a write fails, the batches that readers see were announced.
   *
   * @returns a function that ends the subscription
   */
  subscribe(listener: StoreChangeListener): () => void;
}
