import type { PlainRecord } from '../domain/identity-key.js';
import { NO_REPOSITORY, type ScopeRef } from '../domain/repositories/repository-name.js';
import type { Sync } from '../domain/shared/sync.js';
import { compareText } from '../domain/shared/text-order.js';
import { sameInAnswers } from '../policies/same-in-answers.js';
import { scopeOfRecord } from '../policies/search-place.js';
import type { RecordChange, ServiceChange, StoreChange, SyncChange } from './store-changes.js';

/** Collects the changes of one batch, each once. For stores that implement `StoreChanges`. */
export class ChangeSet {
  readonly #records = new Map<RecordChange['kind'], Set<ScopeRef>>();
  readonly #services = new Map<ServiceChange['kind'], Set<string>>();
  readonly #syncs = new Map<string, SyncChange>();

  /** A record was stored, replaced or removed. `null` means that it did not exist, or no longer exists. */
  replaced(before: PlainRecord | null, after: PlainRecord | null): void {
    const record = after ?? before;
    if (record === null) return;
    if (record.kind === 'sync') this.#sync(before, after);
    else if (record.kind === 'service') this.service('service', record.key);
    else this.record(record.kind, scopeOfRecord(record));
  }

  record(kind: RecordChange['kind'], scope: ScopeRef): void {
    addTo(this.#records, kind, scope);
  }

  service(kind: ServiceChange['kind'], key: string): void {
    addTo(this.#services, kind, key);
  }

  list(): StoreChange[] {
    const records = [...this.#records].flatMap(([kind, scopes]) => [...scopes].map((repositoryRef): StoreChange => ({ kind, repositoryRef })));
    const services = [...this.#services].flatMap(([kind, keys]) =>
      [...keys].map((serviceKey): StoreChange => ({ kind, repositoryRef: NO_REPOSITORY, serviceKey })),
    );
    return [...records, ...services, ...this.#syncs.values()];
  }

  #sync(before: PlainRecord | null, after: PlainRecord | null): void {
    const versions = [before, after].filter((record): record is Sync => record?.kind === 'sync');
    const [first, second] = versions;
    const onlyAttempts = first !== undefined && second !== undefined && sameInAnswers(first, second);
    const feeds = [...new Set(versions.flatMap((sync) => sync.feeds))].sort(compareText);
    // A source that now feeds another repository changes the answers of both.
    for (const { repositoryRef } of versions)
      this.#syncs.set(`${repositoryRef} ${String(onlyAttempts)} ${feeds.join(' ')}`, { kind: 'sync', repositoryRef, feeds, onlyAttempts });
  }
}

function addTo<Kind, Value>(sets: Map<Kind, Set<Value>>, kind: Kind, value: Value): void {
  const values = sets.get(kind);
  if (values === undefined) sets.set(kind, new Set([value]));
  else values.add(value);
}
