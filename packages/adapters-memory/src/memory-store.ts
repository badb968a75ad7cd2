import { comparePositions, DEFAULT_RETENTION_MS, isOfKind, keyOfIdentity, NO_REPOSITORY, positionOf, sameValue } from '@vitrine/core';
import type {
  ApprovedRepositories,
  ChangeSet,
  Clock,
  DescribedRecords,
  ListedKind,
  ListedRecord,
  PlainIdentity,
  PlainRecord,
  RecordOf,
  RecordStoreOptions,
  ScopeRef,
  Statement,
  TimePosition,
  VouchedRecord,
} from '@vitrine/core';
import { MemoryChangeFeed } from './changes/memory-change-feed.js';
import { CheckStore } from './status/check-store.js';

export interface Listed<Kept = ListedRecord> {
  readonly record: Kept;
  readonly position: TimePosition;
}

/** All records: a map for each kind, and the checks. Everything else is computed from them for each call. */
export class MemoryStore {
  readonly clock: Clock;
  readonly checks: CheckStore;
  readonly changeFeed = new MemoryChangeFeed();
  /** The repositories whose records search finds; `null` for all. */
  searched: ApprovedRepositories | null = null;
  readonly #records = new Map<string, Map<string, VouchedRecord>>();
  /** Sorting is slow, so each sorted list is kept until a record of its kind is written. */
  readonly #lists = new Map<string, readonly Listed[]>();

  constructor({ clock, retentionMs = DEFAULT_RETENTION_MS, onClockDoubt }: Omit<RecordStoreOptions, 'monitor'>) {
    this.clock = clock;
    this.checks = new CheckStore(clock, retentionMs, onClockDoubt);
  }

  find<Kind extends PlainRecord['kind']>(kind: Kind, key: string): DescribedRecords[Kind] | null {
    const record = this.#records.get(kind)?.get(key)?.record;
    return record !== undefined && hasKind(kind, record) ? record : null;
  }

  all<Kind extends PlainRecord['kind']>(kind: Kind): DescribedRecords[Kind][] {
    const records = [...(this.#records.get(kind)?.values() ?? [])].map(({ record }) => record);
    return records.filter((record) => hasKind(kind, record));
  }

  /** All records of a kind in the order of its list: newest first. */
  *list<Kind extends ListedKind>(kind: Kind): Iterable<Listed<RecordOf<Kind>>> {
    const list = this.#lists.get(kind) ?? sorted(this.all<ListedKind>(kind));
    this.#lists.set(kind, list);
    for (const { record, position } of list) if (isOfKind(kind, record)) yield { record, position };
  }

  /** The record with what its sources say; `null` if it is not stored. */
  found(kind: PlainRecord['kind'], key: string): { readonly stored: VouchedRecord } | null {
    const stored = this.#records.get(kind)?.get(key);
    return stored === undefined ? null : { stored };
  }

  vouchedBy(source: string): readonly PlainRecord[] {
    const all = [...this.#records.values()].flatMap((ofKind) => [...ofKind.values()]);
    return all.filter(({ statements }) => statements.some((statement) => statement.source === source)).map(({ record }) => record);
  }

  statementsOf(identity: PlainIdentity): readonly Statement[] {
    return this.found(identity.kind, keyOfIdentity(identity))?.stored.statements ?? [];
  }

  put(vouched: VouchedRecord, changed: ChangeSet): void {
    const { record } = vouched;
    const [key, records] = [keyOfIdentity(record), this.#records.get(record.kind) ?? new Map<string, VouchedRecord>()];
    const before = records.get(key)?.record ?? null;
    this.#records.set(record.kind, records.set(key, vouched));
    // Readers show the same as before.
    if (sameValue(before, record)) return;
    changed.replaced(before, record);
    this.#lists.delete(record.kind);
  }

  remove(kind: PlainRecord['kind'], key: string, changed: ChangeSet): void {
    changed.replaced(this.found(kind, key)?.stored.record ?? null, null);
    this.#lists.delete(kind);
    this.#records.get(kind)?.delete(key);
  }

  isSearched(scope: ScopeRef): boolean {
    return this.searched === null || scope === NO_REPOSITORY || this.searched.admits(scope);
  }
}

function sorted(records: readonly ListedRecord[]): readonly Listed[] {
  const list = records.map((record) => ({ record, position: positionOf(record) }));
  return list.sort((a, b) => comparePositions(a.position, b.position));
}

function hasKind<Kind extends PlainRecord['kind']>(kind: Kind, record: PlainRecord): record is DescribedRecords[Kind] {
  return record.kind === kind;
}
