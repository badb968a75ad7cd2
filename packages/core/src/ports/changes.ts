import { type PlainRecord, type RecordKind, keyOfIdentity, scopeOf } from '../kinds/identity.js';
import type { Instant } from '../kinds/instant.js';
import { compareText } from '../kinds/page.js';
import { NO_REPOSITORY, type RepositoryRef, type ScopeRef } from '../kinds/repository-name.js';
import type { Sync, SyncedKind } from '../kinds/sync.js';
import { sameInAnswers } from '../rules/stored-record.js';
import type { ReadContext } from './readers.js';

type IndexedKind = Exclude<StoreChange['kind'], 'sync' | 'check' | 'status-day'>;

const PLAIN = { serviceKey: null, day: null, sync: null } as const;

/** Collects the changes of one batch: the last change of each record. For stores that implement `ChangeFeed`. */
export class ChangeSet {
  readonly #changes = new Map<string, StoreChange>();

  /** A record was stored, replaced or removed. `null` means that it did not exist, or no longer exists. */
  replaced(before: PlainRecord | null, after: PlainRecord | null): void {
    const record = after ?? before;
    if (record === null) return;
    if (record.kind === 'sync') this.#sync(before, after, record);
    else
      this.#add({
        ...PLAIN,
        operation: after === null ? 'remove' : 'put',
        kind: record.kind,
        key: keyOfIdentity(record),
        repositoryRef: scopeOf(record),
        serviceKey: record.kind === 'service' ? record.key : null,
      });
  }

  /** The facts of a repository have changed, such as its latest release, or the name by which search finds its records. */
  facts(ref: RepositoryRef): void {
    // A change of the record itself says more.
    const change = { ...PLAIN, operation: 'put', kind: 'repository', key: ref, repositoryRef: ref } as const;
    if (!this.#changes.has(nameOf(change))) this.#add(change);
  }

  /** Search finds records of this kind and scope from now on, or no longer finds them. */
  indexed(kind: IndexedKind, scope: ScopeRef): void {
    this.#add({ ...PLAIN, operation: 'index', kind, key: null, repositoryRef: scope });
  }

  /** Checks or daily counts of a service and UTC day were stored or removed. */
  day(operation: 'put' | 'remove', kind: 'check' | 'status-day', { serviceKey, day }: { readonly serviceKey: string; readonly day: Instant }): void {
    this.#add({ operation, kind, key: null, repositoryRef: NO_REPOSITORY, serviceKey, day, sync: null });
  }

  list(): StoreChange[] {
    return [...this.#changes.values()];
  }

  #sync(before: PlainRecord | null, after: PlainRecord | null, { id }: Sync): void {
    const [old, current] = [asSync(before), asSync(after)];
    const versions = [old, current].filter((sync) => sync !== null);
    const effect = {
      feeds: versions.flatMap((sync) => sync.feeds),
      onlyAttempts: old !== null && current !== null && sameInAnswers(old, current),
    };
    const operation = current === null ? 'remove' : 'put';
    // A source that now feeds another repository changes the answers of both.
    for (const repositoryRef of new Set(versions.map((sync) => sync.repositoryRef))) {
      const known = this.#changes.get(nameOf({ kind: 'sync', key: id, repositoryRef }))?.sync;
      this.#add({ ...PLAIN, operation, kind: 'sync', key: id, repositoryRef, sync: bothOf(effect, known ?? null) });
    }
  }

  #add(change: StoreChange): void {
    this.#changes.set(nameOf(change), change);
  }
}

function asSync(record: PlainRecord | null): Sync | null {
  return record?.kind === 'sync' ? record : null;
}

function bothOf({ feeds, onlyAttempts }: SyncEffect, known: SyncEffect | null): SyncEffect {
  return { feeds: [...new Set([...feeds, ...(known?.feeds ?? [])])].sort(compareText), onlyAttempts: onlyAttempts && known?.onlyAttempts !== false };
}

/** What a later change of the same batch replaces. */
function nameOf(change: Pick<StoreChange, 'kind' | 'key' | 'repositoryRef'> & Partial<StoreChange>): string {
  const { kind, key, repositoryRef, serviceKey = null, day = null } = change;
  return [kind, repositoryRef, key, serviceKey, day].join(' ');
}

/** A place in the order of all changes of one store: opaque text, at most 2,000 characters. In another store, or after a backup was restored, it is too old. */
export type FeedPosition = string;

/** What one write has changed. A write that changes nothing is no change, and neither is the end of the retention of raw checks. */
export interface StoreChange {
  /** `index`: search finds the record from now on, or no longer finds it. The record itself has not changed. */
  readonly operation: 'put' | 'remove' | 'index';
  /**
   * A repository also changes when its `latestRelease` or `latestActivityAt` does, or the name by which search finds its records. That concerns every answer that shows it
   * beside a record.
   */
  readonly kind: RecordKind;
  /** The key of the record within its kind, as `keyOfIdentity` returns it. `null` for checks and daily counts, and for several records of the kind and repository. */
  readonly key: string | null;
  /** The scope of the record. `null` if the store knows only the key, or if records of any scope may be concerned. {@link isApprovedChange} decides. */
  readonly repositoryRef: ScopeRef | null;
  /** The service of a service, a check or daily counts; `null` for all other kinds. */
  readonly serviceKey: string | null;
  /** The start of the UTC day of checks or daily counts; `null` for all other kinds, and if it is not known. A check can also change the counts of later days that it covers. */
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
  /** At most this many changes, 1 to 1,000. An empty answer says that there were no more. */
  readonly limit: number;
  /** How long to wait for a change if there is none yet, in milliseconds; 0 to 60,000. The answer comes as soon as there is one. */
  readonly waitMs: number;
}

/** The changes of a store in order, from all processes. */
export interface ChangeFeed {
  /**
   * The changes after a position, in the order in which readers saw them, and only those that readers see. A waiting call gets a change by its own process before that
   * handles its next event; only from a database server it comes later. Without a position the answer is `isTooOld`, at once: this is how a reader starts. Rejects after a
   * pause of a second if the store cannot be read or is closed, so that the caller can try again at once. Rejects at once if the caller aborts.
   */
  changesSince(position: FeedPosition | null, query: FeedQuery, context: ReadContext): Promise<ChangesSince>;
}
