import type { SyncTimes, SyncedKind } from '../../domain/shared/sync.js';
import type { ApprovedRepositories } from '../../policies/allowlist.js';
import { combinedStatus, freshnessOf, type DataStatus } from '../../policies/freshness.js';
import type { Clock } from '../../ports/clock.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { SyncReader } from '../../ports/sync-reader.js';

interface JudgeContext extends ReadContext {
  readonly approved?: ApprovedRepositories | null;
}

/** Says from the sync records how current the records of a kind are. */
export class FreshnessJudge {
  readonly #syncs: SyncReader;
  readonly #clock: Clock;

  constructor(syncs: SyncReader, clock: Clock) {
    this.#syncs = syncs;
    this.#clock = clock;
  }

  /** SyncTimes records that cannot be read give nothing to judge by: `unknown`. */
  of(kind: SyncedKind, context: JudgeContext): Promise<DataStatus> {
    return this.ofAny([kind], [kind], context);
  }

  /**
   * For an answer of several kinds: a kind counts when it is in the answer, or has a sync record; one that nobody collects and that is not shown says
   * nothing about the answer.
   */
  async ofAny(kinds: readonly SyncedKind[], shown: readonly SyncedKind[], context: JudgeContext): Promise<DataStatus> {
    return this.judge(kinds, shown, await this.syncs(context));
  }

  /** The sync records to {@link judge} by; none when they cannot be read. */
  syncs({ approved = null, signal }: JudgeContext): Promise<readonly SyncTimes[]> {
    return this.#syncs.list(approved, { signal }).catch(() => []);
  }

  /** As {@link ofAny}, by sync records that were read already, side by side with what is shown. */
  judge(kinds: readonly SyncedKind[], shown: readonly SyncedKind[], syncs: readonly SyncTimes[]): DataStatus {
    const collected = kinds.filter((kind) => shown.includes(kind) || syncs.some((sync) => sync.feeds.includes(kind)));
    return combinedStatus(collected.map((kind) => freshnessOf(kind, syncs, this.#clock.now())));
  }
}
