import {
  keyOfIdentity,
  NO_REPOSITORY,
  publishableBranch,
  publishableRecord,
  type ApprovedRepositories,
  type BranchChange,
  type CallContext,
  type Check,
  type PlainIdentity,
  type PutContext,
  type PutReport,
  type ReadContext,
  type RecordIdentity,
  type RecordWriter,
  type RefusedRecord,
  type RepositoryRef,
  type StatusDay,
  type StoredRecord,
} from '@vitrine/core';
import { inUnavailableErrors } from '../reading/mongo-reading.js';
import type { Commits } from './commits.js';
import type { PlainItem } from './plain-batch.js';
import type { PlainRecordWriter } from './plain-record-writer.js';

/** How many records are written together. */
const BATCH_SIZE = 1_000;

interface CheckItem {
  readonly index: number;
  readonly record: Check | StatusDay;
}
export type CheckIdentity = Exclude<RecordIdentity, PlainIdentity>;

/** Writes checks and daily counts. */
export interface CheckStore {
  /** Completes the work of an interrupted writer. */
  settle(context: ReadContext): Promise<void>;
  put(items: readonly CheckItem[], context: ReadContext): Promise<{ readonly stored: number; readonly refused: readonly RefusedRecord[] }>;
  remove(identities: readonly CheckIdentity[], context: ReadContext): Promise<number>;
}

/** Runs one call after the other, in batches. */
export class MongoRecordWriter implements RecordWriter {
  #last: Promise<unknown> = Promise.resolve();
  /** Whether work may be incomplete: after the start because of an earlier process, or after a failed call. */
  #isUnsettled = true;

  constructor(
    private readonly commits: Commits,
    private readonly plain: PlainRecordWriter,
    private readonly checks: CheckStore,
  ) {}

  put(records: readonly StoredRecord[], context: PutContext): Promise<PutReport> {
    return this.#inTurn(context, async () => {
      const refused: RefusedRecord[] = [];
      let stored = 0;
      for (let start = 0; start < records.length; start += BATCH_SIZE) {
        context.signal.throwIfAborted();
        const { plain, checks } = split(records, start, refused);
        for (const report of [await this.plain.put(plain, context), await this.checks.put(checks, context)]) {
          stored += report.stored;
          refused.push(...report.refused);
        }
      }
      return { stored, unchanged: records.length - stored - refused.length, refused };
    });
  }

  remove(identities: readonly RecordIdentity[], context: CallContext): Promise<number> {
    return this.#inTurn(context, async () => {
      let removed = 0;
      for (let start = 0; start < identities.length; start += BATCH_SIZE) {
        context.signal.throwIfAborted();
        const batch = identities.slice(start, start + BATCH_SIZE);
        removed += await this.plain.remove(batch.filter(isPlain), context);
        removed += await this.checks.remove(
          batch.filter((identity): identity is CheckIdentity => !isPlain(identity)),
          context,
        );
      }
      return removed;
    });
  }

  withdraw(source: string, context: ReadContext): Promise<number> {
    return this.#inTurn(context, async () => {
      let removed = 0;
      for (let step: number | null = 0; step !== null; removed += step ?? 0) {
        context.signal.throwIfAborted();
        step = await this.plain.withdrawNext(source);
      }
      return removed;
    });
  }

  moveCommits(ref: RepositoryRef, changes: readonly BranchChange[], context: ReadContext): Promise<number> {
    return this.#inTurn(context, async () => {
      let moved = 0;
      for (let start = 0; start < changes.length; start += BATCH_SIZE) {
        context.signal.throwIfAborted();
        const operations = changes.slice(start, start + BATCH_SIZE).map(({ sha, branch }) => {
          const _id = keyOfIdentity({ kind: 'commit', repositoryRef: ref, sha });
          return { updateOne: { filter: { _id }, update: { $set: { branch: publishableBranch(branch) } } } };
        });
        moved += await this.commits.commit(async (into) => (await into('commits').write(operations)).modifiedCount);
      }
      return moved;
    });
  }

  /** Each server keeps its own index, so only the states of sources are left to clear. */
  indexFor(approved: ApprovedRepositories, context: ReadContext): Promise<void> {
    return this.#inTurn(context, async () => {
      const others = { repositoryRef: { $nin: [...approved.refs, NO_REPOSITORY] }, state: { $ne: null } };
      await this.commits.commit((into) => into('syncs').updateAll(others, { $set: { state: null } }));
    });
  }

  /** Resolves when all earlier calls have succeeded or failed. */
  async settled(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  #inTurn<Result>(context: ReadContext, write: () => Promise<Result>): Promise<Result> {
    const run = () => inUnavailableErrors(() => this.#settledFirst(context, write));
    const result = this.#last.then(run, run);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #settledFirst<Result>(context: ReadContext, write: () => Promise<Result>): Promise<Result> {
    if (this.#isUnsettled) {
      await this.plain.settle();
      await this.checks.settle(context);
    }
    this.#isUnsettled = true;
    const result = await write();
    this.#isUnsettled = false;
    return result;
  }
}

function isPlain(identity: RecordIdentity): identity is PlainIdentity {
  return identity.kind !== 'check' && identity.kind !== 'status-day';
}

interface SplitBatch {
  readonly plain: readonly PlainItem[];
  readonly checks: readonly CheckItem[];
}

/** @param refused receives the records that must not be published */
function split(records: readonly StoredRecord[], start: number, refused: RefusedRecord[]): SplitBatch {
  const plain: PlainItem[] = [];
  const checks: CheckItem[] = [];
  for (const [offset, given] of records.slice(start, start + BATCH_SIZE).entries()) {
    const index = start + offset;
    const record = publishableRecord(given);
    if (typeof record === 'string') refused.push({ index, reason: record });
    else if (record.kind === 'check' || record.kind === 'status-day') checks.push({ index, record });
    else plain.push({ index, record });
  }
  return { plain, checks };
}
