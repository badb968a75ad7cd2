import {
  type ApprovedRepositories,
  type ChangeSet,
  type Clock,
  comparePositions,
  DEFAULT_RETENTION_MS,
  type DescribedRecords,
  isOfKind,
  keyOfIdentity,
  type ListedKind,
  type ListedRecord,
  NO_REPOSITORY,
  type PlainIdentity,
  type PlainRecord,
  positionOf,
  type RecordOf,
  type RecordStoreOptions,
  sameValue,
  type ScopeRef,
  type Statement,
  type TimePosition,
  type VouchedRecord,
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
  readonly #records = new Map<string, Map<string, PlainRecord>>();
  /** What the sources of a record say, by kind and key. */
  readonly #statements = new Map<string, readonly Statement[]>();
  /** Sorting is slow, so each sorted list is kept until a record of its kind is written. */
  readonly #lists = new Map<string, readonly Listed[]>();

  constructor({ clock, retentionMs = DEFAULT_RETENTION_MS, onClockDoubt }: Omit<RecordStoreOptions, 'monitor'>) {
    this.clock = clock;
    this.checks = new CheckStore(clock, retentionMs, onClockDoubt);
  }

  find<Kind extends PlainRecord['kind']>(kind: Kind, key: string): DescribedRecords[Kind] | null {
    const record = this.#records.get(kind)?.get(key);
    return record !== undefined && hasKind(kind, record) ? record : null;
  }

  /** All records of a kind, in no particular order. */
  all<Kind extends PlainRecord['kind']>(kind: Kind): DescribedRecords[Kind][] {
    return [...(this.#records.get(kind)?.values() ?? [])].filter((record) => hasKind(kind, record));
  }

  /** All records of a kind in the order of its list: newest first. */
  *list<Kind extends ListedKind>(kind: Kind): Iterable<Listed<RecordOf<Kind>>> {
    const list = this.#lists.get(kind) ?? sorted(this.all<ListedKind>(kind));
    this.#lists.set(kind, list);
    for (const { record, position } of list) if (isOfKind(kind, record)) yield { record, position };
  }

  /** The record with what its sources say; `null` if it is not stored. */
  vouched(identity: PlainIdentity): VouchedRecord | null {
    const record = this.find(identity.kind, keyOfIdentity(identity));
    return record === null ? null : { record, statements: this.statementsOf(identity) };
  }

  /** All records for which a source vouches. */
  vouchedBy(source: string): readonly PlainRecord[] {
    const records = [...this.#records.values()].flatMap((ofKind) => [...ofKind.values()]);
    return records.filter((record) => this.statementsOf(record).some((statement) => statement.source === source));
  }

  statementsOf(identity: PlainIdentity): readonly Statement[] {
    return this.#statements.get(placeOf(identity)) ?? [];
  }

  put({ record, statements }: VouchedRecord, changed: ChangeSet): void {
    const [key, records] = [keyOfIdentity(record), this.#records.get(record.kind) ?? new Map<string, PlainRecord>()];
    const before = records.get(key) ?? null;
    this.#statements.set(placeOf(record), statements);
    // Readers show the same as before.
    if (sameValue(before, record)) return;
    changed.replaced(before, record);
    this.#records.set(record.kind, records.set(key, record));
    this.#lists.delete(record.kind);
  }

  /** Returns whether the record was stored. */
  remove(identity: PlainIdentity, changed: ChangeSet): boolean {
    const [key, records] = [keyOfIdentity(identity), this.#records.get(identity.kind)];
    changed.replaced(records?.get(key) ?? null, null);
    this.#lists.delete(identity.kind);
    this.#statements.delete(placeOf(identity));
    return records?.delete(key) === true;
  }

  /** Whether search finds records of a scope. */
  isSearched(scope: ScopeRef): boolean {
    return this.searched === null || scope === NO_REPOSITORY || this.searched.admits(scope);
  }
}

function placeOf(identity: PlainIdentity): string {
  return `${identity.kind} ${keyOfIdentity(identity)}`;
}

function sorted(records: readonly ListedRecord[]): readonly Listed[] {
  const list = records.map((record) => ({ record, position: positionOf(record) }));
  return list.sort((a, b) => comparePositions(a.position, b.position));
}

function hasKind<Kind extends PlainRecord['kind']>(kind: Kind, record: PlainRecord): record is DescribedRecords[Kind] {
  return record.kind === kind;
}
