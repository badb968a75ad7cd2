import {
  keyOfIdentity,
  NO_REPOSITORY,
  publishableBranch,
  publishableRecord,
  type ApprovedRepositories,
  type BranchChange,
  type CallContext,
  type PlainIdentity,
  type PutContext,
  type PutReport,
  type ReadContext,
  type RecordIdentity,
  type RecordWriter,
  type RefusedRecord,
  type RepositoryRef,
  type StoredRecord,
} from '@vitrine/core';
import { BSON } from 'mongodb';
import { inParts, inUnavailableErrors } from '../reading/mongo-reading.js';
import type { CheckItem, CheckWriter } from '../status/check-writer.js';
import type { Commits } from './commits.js';
import type { PlainItem, PlainRecordWriter } from './plain-record-writer.js';

/** How many records one transaction writes. */
const BATCH_SIZE = 1_000;
/** A transaction takes no further record from this size on, because the server keeps it in memory until it succeeds. */
const BATCH_BYTES = 8 * 1_024 * 1_024;

/** Runs one call after the other, in batches. */
export class MongoRecordWriter implements RecordWriter {
  #last: Promise<unknown> = Promise.resolve();
  /** Whether what other collectors have marked was derived. */
  #isSettled = false;

  constructor(
    private readonly commits: Commits,
    private readonly plain: PlainRecordWriter,
    private readonly checks: CheckWriter,
  ) {}

  put(records: readonly StoredRecord[], context: PutContext): Promise<PutReport> {
    return this.#inTurn(context, async () => {
      const refused: RefusedRecord[] = [];
      let stored = 0;
      for (const { plain, checks } of batchesOf(records, refused)) {
        context.signal.throwIfAborted();
        const reports = [
          ...(plain.length === 0 ? [] : [await this.plain.put(plain, context)]),
          ...(checks.length === 0 ? [] : [await this.checks.put(checks, context)]),
        ];
        for (const report of reports) {
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
      for (const batch of inParts(identities, BATCH_SIZE)) {
        context.signal.throwIfAborted();
        const [plain, checks] = [batch.filter(isPlain), batch.filter((identity) => !isPlain(identity))];
        if (plain.length > 0) removed += await this.plain.remove(plain, context);
        if (checks.length > 0) removed += await this.checks.remove(checks, context);
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
      for (const part of inParts(changes, BATCH_SIZE)) {
        context.signal.throwIfAborted();
        const operations = part.map(({ sha, branch }) => {
          const _id = keyOfIdentity({ kind: 'commit', repositoryRef: ref, sha });
          return { updateOne: { filter: { _id }, update: { $set: { branch: publishableBranch(branch) } } } };
        });
        moved += await this.commits.commit((transaction) => transaction.write('commits', operations));
      }
      return moved;
    });
  }

  /** Each server keeps its own index, so only the states of sources are left to clear. */
  indexFor(approved: ApprovedRepositories, context: ReadContext): Promise<void> {
    return this.#inTurn(context, () => {
      const others = { repositoryRef: { $nin: [...approved.refs, NO_REPOSITORY] }, state: { $ne: null } };
      return this.commits.commit((transaction) => transaction.updateAll('syncs', others, { $set: { state: null } }));
    });
  }

  /** Resolves when all earlier calls have succeeded or failed. */
  async settled(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  #inTurn<Result>(context: ReadContext, write: () => Promise<Result>): Promise<Result> {
    const run = () =>
      inUnavailableErrors(async () => {
        context.signal.throwIfAborted();
        if (!this.#isSettled) {
          await this.plain.settle();
          await this.checks.settle(context);
          this.#isSettled = true;
        }
        return write();
      });
    const result = this.#last.then(run, run);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function isPlain(identity: RecordIdentity): identity is PlainIdentity {
  return identity.kind !== 'check' && identity.kind !== 'status-day';
}

interface Batch {
  readonly plain: PlainItem[];
  readonly checks: CheckItem[];
}

/** @param refused receives the records that must not be published */
function* batchesOf(records: readonly StoredRecord[], refused: RefusedRecord[]): Iterable<Batch> {
  let batch: Batch = { plain: [], checks: [] };
  let [count, bytes] = [0, 0];
  for (const [index, given] of records.entries()) {
    const record = publishableRecord(given);
    if (typeof record === 'string') {
      refused.push({ index, reason: record });
      continue;
    }
    if (record.kind === 'check' || record.kind === 'status-day') batch.checks.push({ index, record });
    else batch.plain.push({ index, record });
    count += 1;
    bytes += BSON.calculateObjectSize(record);
    if (count < BATCH_SIZE && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = { plain: [], checks: [] };
    [count, bytes] = [0, 0];
  }
  yield batch;
}
