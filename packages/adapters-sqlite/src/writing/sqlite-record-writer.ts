import type {
  ApprovedRepositories,
  BranchChange,
  CallContext,
  Clock,
  IndexReport,
  PutContext,
  PutReport,
  ReadContext,
  RecordIdentity,
  RecordWriter,
  RepositoryRef,
  StoredRecord,
} from '@vitrine/core';
import type { Turn } from '../lease/turn.js';
import { sentApproval } from '../threads/sent-approval.js';
import type { StoreThread } from '../threads/store-thread.js';
import type { WriteRequest, WriterCalls } from './writer-calls.js';

export interface RecordWriterOptions {
  readonly thread: StoreThread<WriterCalls>;
  readonly clock: Clock;
  /** Hears how each write ended: `null` for success. */
  readonly onEnded: (error: unknown) => void;
  /** The turn in which everything is written; `null` for writes that need no lease. */
  readonly turn: Turn | null;
}

/** Sends writes to the writer's thread, which runs them in the order of the calls. */
export class SqliteRecordWriter implements RecordWriter {
  readonly #options: RecordWriterOptions;

  constructor(options: RecordWriterOptions) {
    this.#options = options;
  }

  put(records: readonly StoredRecord[], context: PutContext): Promise<PutReport> {
    const { source = null, filledAt = null } = context;
    return this.#ended(this.#options.thread.call('put', { ...this.#request(), records, source, filledAt }, context));
  }

  remove(identities: readonly RecordIdentity[], context: CallContext): Promise<number> {
    const { source = null } = context;
    return this.#ended(this.#options.thread.call('remove', { ...this.#request(), identities, source }, context));
  }

  withdraw(source: string, context: ReadContext): Promise<number> {
    return this.#ended(this.#options.thread.call('withdraw', { ...this.#request(), source }, context));
  }

  moveCommits(ref: RepositoryRef, changes: readonly BranchChange[], context: ReadContext): Promise<number> {
    return this.#ended(this.#options.thread.call('moveCommits', { ...this.#request(), ref, changes }, context));
  }

  indexFor(approved: ApprovedRepositories, context: ReadContext): Promise<IndexReport> {
    return this.#ended(this.#options.thread.call('indexFor', { ...this.#request(), approved: sentApproval(approved) }, context));
  }

  #request(): WriteRequest {
    const { clock, turn } = this.#options;
    return { at: { wall: clock.now(), elapsed: clock.elapsed?.() ?? performance.now() }, turn };
  }

  async #ended<Result>(write: Promise<Result>): Promise<Result> {
    try {
      const result = await write;
      this.#options.onEnded(null);
      return result;
    } catch (error) {
      this.#options.onEnded(error);
      throw error;
    }
  }
}
