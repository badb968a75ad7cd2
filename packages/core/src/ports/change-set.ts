import { keyOfIdentity, type PlainRecord } from '../domain/identity-key.js';
import { NO_REPOSITORY, type RepositoryRef, type ScopeRef } from '../domain/repositories/repository-name.js';
import type { Instant } from '../domain/shared/instant.js';
import type { Sync } from '../domain/shared/sync.js';
import { compareText } from '../domain/shared/text-order.js';
import { sameInAnswers } from '../policies/same-in-answers.js';
import { scopeOfRecord } from '../policies/search-place.js';
import type { StoreChange, SyncEffect } from './change-feed.js';

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
        repositoryRef: scopeOfRecord(record),
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

/** What two changes of the same batch mean together. */
function bothOf({ feeds, onlyAttempts }: SyncEffect, known: SyncEffect | null): SyncEffect {
  return { feeds: [...new Set([...feeds, ...(known?.feeds ?? [])])].sort(compareText), onlyAttempts: onlyAttempts && known?.onlyAttempts !== false };
}

/** What a later change of the same batch replaces. */
function nameOf({
  kind,
  key,
  repositoryRef,
  serviceKey = null,
  day = null,
}: Pick<StoreChange, 'kind' | 'key' | 'repositoryRef'> & Partial<StoreChange>): string {
  return [kind, repositoryRef, key, serviceKey, day].join(' ');
}
