import {
  isOfKind,
  keepFirst,
  releaseIdKey,
  type BranchChange,
  type CollectionReader,
  type Commit,
  type PutContext,
  type PutReport,
  type RecordIdentity,
  type RecordOf,
  type RecordWriter,
  type Release,
  type RepositoryRecord,
  type RepositoryRef,
  type ScopedKind,
  type StatedRecord,
  type StoredRecord,
  type Sync,
} from '@vitrine/core';

/** A store of the kinds that a git source writes, over plain maps, which keeps every call in order. */
export class RecordingStore implements RecordWriter, CollectionReader {
  readonly #records = new Map<string, StoredRecord>();
  /** What was put, moved and removed, in order. */
  readonly calls: string[] = [];
  /** Throws at this call, counted from 1: what a crash leaves behind. */
  failsAt = Infinity;

  put(records: readonly StoredRecord[], { filledAt }: Pick<PutContext, 'filledAt'> = {}): Promise<PutReport> {
    return this.#called(`put ${[...new Set(records.map(({ kind }) => kind))].join(' ')} ${records.length}`, () => {
      let stored = 0;
      for (const given of records) {
        const key = keyOf(given);
        const record = given.kind === 'repository' ? keepFirst(given, this.#repository(given.repositoryRef), filledAt) : given;
        if (JSON.stringify(this.#records.get(key)) !== JSON.stringify(record)) stored += 1;
        this.#records.set(key, record);
      }
      return { stored, unchanged: records.length - stored, refused: [] };
    });
  }

  remove(identities: readonly RecordIdentity[]): Promise<number> {
    return this.#called(`remove ${identities.length}`, () => identities.filter((identity) => this.#records.delete(keyOf(identity))).length);
  }

  withdraw(): Promise<number> {
    return this.#called('withdraw', () => 0);
  }

  moveCommits(ref: RepositoryRef, changes: readonly BranchChange[]): Promise<number> {
    return this.#called(`move ${changes.length}`, () => {
      let moved = 0;
      for (const { sha, branch } of changes) {
        const commit = this.commits().find((one) => one.repositoryRef === ref && one.sha === sha);
        if (commit === undefined || commit.branch === branch) continue;
        this.#records.set(keyOf(commit), { ...commit, branch });
        moved += 1;
      }
      return moved;
    });
  }

  indexFor(): Promise<void> {
    return this.#called('index', () => undefined);
  }

  commitBranches(ref: RepositoryRef): Promise<ReadonlyMap<string, string | null>> {
    return Promise.resolve(new Map(this.commits().flatMap((commit) => (commit.repositoryRef === ref ? [[commit.sha, commit.branch]] : []))));
  }

  async *ofRepository<Kind extends ScopedKind>(kind: Kind, ref: RepositoryRef): AsyncIterable<RecordOf<Kind>> {
    for (const record of this.#all<ScopedKind>(kind)) if (isOfKind(kind, record) && record.repositoryRef === ref) yield await Promise.resolve(record);
  }

  sync(id: string): Promise<Sync | null> {
    return Promise.resolve(this.#all('sync').find((sync) => sync.id === id) ?? null);
  }

  services(): Promise<never> {
    return Promise.reject(new Error('a git source does not ask for services'));
  }

  checkedDays(): Promise<never> {
    return Promise.reject(new Error('a git source does not ask for days'));
  }

  checksOf(): Promise<never> {
    return Promise.reject(new Error('a git source does not ask for checks'));
  }

  async *records(): AsyncIterable<StoredRecord> {
    yield* this.#records.values();
  }

  async *statements(): AsyncIterable<StatedRecord> {
    for await (const record of this.records()) yield { record, source: null };
  }

  commits(): Commit[] {
    return this.#all('commit');
  }

  releases(): Release[] {
    return this.#all('release');
  }

  repositories(): RepositoryRecord[] {
    return this.#all('repository');
  }

  /** Everything in one order, without the times of the runs. */
  contents(): string[] {
    return [...this.#records.values()].map((record) => JSON.stringify(record, (key, value: unknown) => (RUN_TIMES.has(key) ? null : value))).sort();
  }

  #repository(ref: RepositoryRef): RepositoryRecord | null {
    return this.repositories().find(({ repositoryRef }) => repositoryRef === ref) ?? null;
  }

  #all<Kind extends StoredRecord['kind']>(kind: Kind): Extract<StoredRecord, { kind: Kind }>[] {
    return [...this.#records.values()].filter((record): record is Extract<StoredRecord, { kind: Kind }> => record.kind === kind);
  }

  #called<Result>(call: string, act: () => Result): Promise<Result> {
    this.calls.push(call);
    if (this.calls.length >= this.failsAt) return Promise.reject(new Error('the store is gone'));
    return Promise.resolve(act());
  }
}

const RUN_TIMES = new Set(['observedAt', 'lastSyncedAt', 'lastSuccessAt', 'firstAttemptAt', 'lastAttemptAt']);

function keyOf(record: RecordIdentity | StoredRecord): string {
  switch (record.kind) {
    case 'repository':
      return `repository ${record.repositoryRef}`;
    case 'commit':
      return `commit ${record.repositoryRef} ${record.sha}`;
    case 'release':
      return `release ${record.repositoryRef} ${releaseIdKey(record.id)}`;
    case 'sync':
      return `sync ${record.id}`;
    default:
      throw new Error(`a git source writes no ${record.kind}`);
  }
}
