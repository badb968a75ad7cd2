import { givenRecords, inParts, isOfDay, keyOfIdentity, NO_REPOSITORY, publishableBranch } from '@vitrine/core';
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
import { BSON } from 'mongodb';
import { inUnavailableErrors } from '../reading/mongo-reading.js';
import type { CheckWriter } from '../status/check-writer.js';
import type { Commits } from './commits.js';
import type { PlainRecordWriter, WriteReport } from './plain-record-writer.js';

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
      const { plain, checks, refused: unpublishable } = givenRecords(records);
      const reports: WriteReport[] = [{ stored: 0, refused: unpublishable }];
      for (const batch of batchesOf(plain, context)) reports.push(await this.plain.put(batch, context));
      for (const batch of batchesOf(checks, context)) reports.push(await this.checks.put(batch, context));
      const refused = reports.flatMap((report) => report.refused);
      const stored = reports.reduce((sum, report) => sum + report.stored, 0);
      return { stored, unchanged: records.length - stored - refused.length, refused };
    });
  }

  remove(identities: readonly RecordIdentity[], context: CallContext): Promise<number> {
    return this.#inParts(identities, context, async (part) => {
      const [plain, checks] = [part.filter((identity) => !isOfDay(identity)), part.filter(isOfDay)];
      const removed = plain.length > 0 ? await this.plain.remove(plain, context) : 0;
      return checks.length > 0 ? removed + (await this.checks.remove(checks, context)) : removed;
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
    return this.#inParts(changes, context, (part) => {
      const operations = part.map(({ sha, branch }) => {
        const _id = keyOfIdentity({ kind: 'commit', repositoryRef: ref, sha });
        return { updateOne: { filter: { _id }, update: { $set: { branch: publishableBranch(branch) } } } };
      });
      return this.commits.commit((transaction) => transaction.write('commits', operations));
    });
  }

  /** Each server keeps its own index, so only the states of sources are left to clear. */
  indexFor(approved: ApprovedRepositories, context: ReadContext): Promise<void> {
    return this.#inTurn(context, async () => {
      const others = { repositoryRef: { $nin: [...approved.refs, NO_REPOSITORY] }, state: { $ne: null } };
      await this.commits.commit((transaction) => transaction.write('syncs', [{ updateMany: { filter: others, update: { $set: { state: null } } } }]));
    });
  }

  /** Resolves when all earlier calls have succeeded or failed. */
  async settled(): Promise<void> {
    await this.#last;
  }

  /** The sum of the numbers that a change of each part returns. */
  #inParts<Item>(items: readonly Item[], context: ReadContext, change: (part: readonly Item[]) => Promise<number>): Promise<number> {
    return this.#inTurn(context, async () => {
      let count = 0;
      for (const part of inParts(items, BATCH_SIZE)) {
        context.signal.throwIfAborted();
        count += await change(part);
      }
      return count;
    });
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

/** Parts that one transaction can write, until the caller aborts. */
function* batchesOf<Item extends { readonly record: object }>(items: readonly Item[], { signal }: ReadContext): Iterable<readonly Item[]> {
  let [batch, bytes]: [Item[], number] = [[], 0];
  for (const item of items) {
    batch.push(item);
    bytes += BSON.calculateObjectSize(item.record);
    if (batch.length < BATCH_SIZE && bytes < BATCH_BYTES) continue;
    signal.throwIfAborted();
    yield batch;
    [batch, bytes] = [[], 0];
  }
  signal.throwIfAborted();
  if (batch.length > 0) yield batch;
}
