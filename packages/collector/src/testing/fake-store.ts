import { isDeepStrictEqual } from 'node:util';
import {
  startOfDay,
  type ApprovedRepositories,
  type Check,
  type CheckedDay,
  type CollectionReader,
  type PutReport,
  type RecordIdentity,
  type RecordOf,
  type RecordWriter,
  type RefusedRecord,
  type ScopedKind,
  type ServiceDay,
  type StatedRecord,
  type StoredRecord,
} from '@vitrine/core';

/** A store that only keeps records by identity, without derived fields and without rules for duplicates. For tests. */
export class FakeStore implements RecordWriter, CollectionReader {
  readonly #records = new Map<string, StoredRecord>();
  /** The number of records in each call of `put`. */
  readonly batches: number[] = [];
  /** Decides which records are rejected, and why. */
  refuse: (record: StoredRecord) => RefusedRecord['reason'] | null = () => null;

  get all(): readonly StoredRecord[] {
    return [...this.#records.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
  }

  put(records: readonly StoredRecord[]): Promise<PutReport> {
    this.batches.push(records.length);
    const refused: RefusedRecord[] = [];
    let unchanged = 0;
    records.forEach((record, index) => {
      const reason = this.refuse(record);
      if (reason !== null) refused.push({ index, reason });
      else if (isDeepStrictEqual(this.#records.get(keyOf(record)), record)) unchanged++;
      else this.#records.set(keyOf(record), record);
    });
    return Promise.resolve({ stored: records.length - unchanged - refused.length, unchanged, refused });
  }

  remove(identities: readonly RecordIdentity[]): Promise<number> {
    return Promise.resolve(identities.filter((identity) => this.#records.delete(keyOf(identity))).length);
  }

  /** The sources of each call of `withdraw`. */
  readonly withdrawn: string[] = [];

  withdraw(source: string): Promise<number> {
    this.withdrawn.push(source);
    return Promise.resolve(0);
  }

  moveCommits(): Promise<number> {
    return Promise.resolve(0);
  }

  /** The refs of each call of `indexFor`. */
  readonly alignments: (readonly string[])[] = [];

  indexFor({ refs }: ApprovedRepositories): Promise<void> {
    this.alignments.push(refs);
    return Promise.resolve();
  }

  commitBranches() {
    return Promise.resolve(new Map<string, string | null>());
  }

  async *ofRepository<Kind extends ScopedKind>(kind: Kind, ref: string): AsyncGenerator<RecordOf<Kind>> {
    for (const record of this.all)
      if (record.kind === kind && (record as RecordOf<Kind>).repositoryRef === ref) yield await Promise.resolve(record as RecordOf<Kind>);
  }

  sync(id: string) {
    const record = this.#records.get(JSON.stringify(['sync', id]));
    return Promise.resolve(record?.kind === 'sync' ? record : null);
  }

  services() {
    return Promise.resolve(this.all.flatMap((record) => (record.kind === 'service' ? [record] : [])));
  }

  /** It counts no days. */
  checkedDays() {
    return Promise.resolve(new Map<string, readonly CheckedDay[]>());
  }

  checksOf({ serviceKey, day }: ServiceDay) {
    const isOfDay = (record: StoredRecord): record is Check => record.kind === 'check' && record.serviceKey === serviceKey;
    return Promise.resolve(this.all.filter(isOfDay).filter(({ checkedAt }) => startOfDay(checkedAt) === day));
  }

  async *records(): AsyncGenerator<StoredRecord> {
    const isRepository = ({ kind }: StoredRecord) => Number(kind === 'repository');
    const sorted = [...this.#records.values()].sort((a, b) => isRepository(b) - isRepository(a));
    for (const record of sorted) yield await Promise.resolve(record);
  }

  async *statements(): AsyncGenerator<StatedRecord> {
    for await (const record of this.records()) yield { record, source: null };
  }
}

function keyOf(record: StoredRecord | RecordIdentity): string {
  return JSON.stringify(partsOf(record));
}

function partsOf(record: StoredRecord | RecordIdentity): readonly unknown[] {
  switch (record.kind) {
    case 'repository':
      return [record.kind, record.repositoryRef];
    case 'commit':
      return [record.kind, record.repositoryRef, record.sha];
    case 'service':
      return [record.kind, record.key];
    case 'check':
      return [record.kind, record.serviceKey, record.checkedAt, 'source' in record ? record.source : record.provenance.source];
    case 'status-day':
      return [record.kind, record.serviceKey, record.day];
    case 'news':
    case 'incident':
    case 'sync':
      return [record.kind, record.id];
    default:
      return [record.kind, record.repositoryRef, record.id];
  }
}
