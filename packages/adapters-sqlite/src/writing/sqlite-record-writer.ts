import type {
  ApprovedRepositories,
  BranchChange,
  CallContext,
  PutContext,
  PutReport,
  ReadContext,
  RecordIdentity,
  RecordWriter,
  RepositoryRef,
  StoredRecord,
} from '@vitrine/core';
import type { Turn } from '../lease/lease-table.js';
import type { StoreWriter } from './store-writer.js';

export interface RecordWriterOptions {
  readonly writer: StoreWriter;
  /** Hears how each write ended: `null` for success. */
  readonly onEnded: (error: unknown) => void;
  /** The turn in which everything is written; `null` for writes that need no lease. */
  readonly turn: Turn | null;
}

/** Writes without a lease, or in one turn of it. */
export class SqliteRecordWriter implements RecordWriter {
  constructor(private readonly options: RecordWriterOptions) {}

  put(records: readonly StoredRecord[], context: PutContext): Promise<PutReport> {
    const { source = null, filledAt = null } = context;
    const { writer, turn } = this.options;
    return this.#ended(writer.put({ turn, records, source, filledAt }, context));
  }

  remove(identities: readonly RecordIdentity[], context: CallContext): Promise<number> {
    const { source = null } = context;
    return this.#ended(this.options.writer.remove({ turn: this.options.turn, identities, source }, context));
  }

  withdraw(source: string, context: ReadContext): Promise<number> {
    return this.#ended(this.options.writer.withdraw({ turn: this.options.turn, source }, context));
  }

  moveCommits(ref: RepositoryRef, changes: readonly BranchChange[], context: ReadContext): Promise<number> {
    return this.#ended(this.options.writer.moveCommits({ turn: this.options.turn, ref, changes }, context));
  }

  indexFor(approved: ApprovedRepositories, context: ReadContext): Promise<void> {
    return this.#ended(this.options.writer.indexFor({ turn: this.options.turn, approved }, context));
  }

  async #ended<Result>(write: Promise<Result>): Promise<Result> {
    try {
      const result = await write;
      this.options.onEnded(null);
      return result;
    } catch (error) {
      this.options.onEnded(error);
      throw error;
    }
  }
}
