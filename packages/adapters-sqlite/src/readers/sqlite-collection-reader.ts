import type {
  CallContext,
  Check,
  CheckedDay,
  CollectionReader,
  Finding,
  ReadContext,
  Release,
  RepositoryRef,
  Service,
  ServiceDay,
  StatedRecord,
  StoredRecord,
  Sync,
  TimePosition,
} from '@vitrine/core';
import type { StoreThread } from '../threads/store-thread.js';
import type { ReaderCalls } from './reader-calls.js';
import { byKey } from './single-record.js';
import type { SqliteReading } from './sqlite-reading.js';
import { SqliteServiceReader } from './sqlite-service-reader.js';
import type { BranchPart, RecordPart, ReleasePart } from './stored-records.js';

export class SqliteCollectionReader implements CollectionReader {
  readonly #reading: SqliteReading;
  readonly #thread: StoreThread<ReaderCalls>;
  readonly #retentionMs: number;

  /** @param retentionMs how long raw checks are kept */
  constructor(reading: SqliteReading, thread: StoreThread<ReaderCalls>, retentionMs: number) {
    this.#reading = reading;
    this.#thread = thread;
    this.#retentionMs = retentionMs;
  }

  /** In parts, so that neither other reads nor the calling thread wait long for a large repository. */
  async commitBranches(ref: RepositoryRef, context: CallContext): Promise<ReadonlyMap<string, string | null>> {
    const branches = new Map<string, string | null>();
    for (let after: TimePosition | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const part: BranchPart = await this.#thread.call('commitBranches', { ref, source: context.source ?? null, after }, context);
      for (const [sha, branch] of part.branches) branches.set(sha, branch);
      after = part.next;
    }
    return branches;
  }

  releaseIds(ref: RepositoryRef, context: CallContext): Promise<ReadonlySet<string>> {
    return this.#thread.call('releaseIds', { ref, source: context.source ?? null }, context);
  }

  /** In parts, because notes can be long. */
  async *releasesOf(ref: RepositoryRef, context: ReadContext): AsyncIterable<Release> {
    for (let after: TimePosition | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const part: ReleasePart = await this.#thread.call('releasesOf', { ref, after }, context);
      yield* part.releases;
      after = part.next;
    }
  }

  findings(ref: RepositoryRef, context: CallContext): Promise<readonly Finding[]> {
    return this.#thread.call('findings', { ref, source: context.source ?? null }, context);
  }

  sync(id: string, context: ReadContext): Promise<Sync | null> {
    return this.#reading.answer(context, () => byKey(this.#reading, 'sync', id));
  }

  services(context: ReadContext): Promise<readonly Service[]> {
    return new SqliteServiceReader(this.#reading).list(context);
  }

  checkedDays(context: ReadContext): Promise<ReadonlyMap<string, readonly CheckedDay[]>> {
    return this.#thread.call('checkedDays', null, context);
  }

  checksOf(day: ServiceDay, context: ReadContext): Promise<readonly Check[]> {
    return this.#thread.call('checksOf', day, context);
  }

  async *records(context: ReadContext): AsyncIterable<StoredRecord> {
    for await (const { record } of this.#all(context, false)) yield record;
  }

  statements(context: ReadContext): AsyncIterable<StatedRecord> {
    return this.#all(context, true);
  }

  /** Each part is what is stored when it is read. */
  async *#all(context: ReadContext, asStated: boolean): AsyncIterable<StatedRecord> {
    const keptFrom = this.#reading.clock.now() - this.#retentionMs;
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const part: RecordPart = await this.#thread.call('recordsAfter', { after, keptFrom, asStated }, context);
      yield* part.records;
      after = part.next;
    }
  }
}
