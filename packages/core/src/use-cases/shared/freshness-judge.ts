import type { SyncTimes, SyncedKind } from '../../domain/shared/sync.js';
import type { ApprovedRepositories } from '../../policies/allowlist.js';
import { freshnessOf, type AnswerKinds, type Freshness, type SourceScope } from '../../policies/freshness.js';
import type { Clock } from '../../ports/clock.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { SyncReader } from '../../ports/sync-reader.js';

interface JudgeContext extends ReadContext {
  readonly approved?: ApprovedRepositories | null;
}

interface JudgedBy {
  readonly freshness: Freshness;
  /** None when they cannot be read. */
  readonly syncs: readonly SyncTimes[];
}

/** Says from the sync records how current the records of a kind are. */
export class FreshnessJudge {
  readonly #syncs: SyncReader;
  readonly #clock: Clock;

  constructor(syncs: SyncReader, clock: Clock) {
    this.#syncs = syncs;
    this.#clock = clock;
  }

  /** For an answer of one kind. Sync records that cannot be read give nothing to judge by: `unknown`. */
  async of(kind: SyncedKind, scope: SourceScope, context: JudgeContext): Promise<Freshness> {
    return (await this.withSyncs(kind, scope, context)).freshness;
  }

  /** As {@link of}, with the sync records that say when repositories were last synced. */
  async withSyncs(kind: SyncedKind, scope: SourceScope, context: JudgeContext): Promise<JudgedBy> {
    const syncs = await this.syncs(context);
    return { freshness: this.judge({ kinds: [kind], shown: [kind], scope }, syncs), syncs };
  }

  /** The sync records to {@link judge} by; none when they cannot be read. */
  async syncs({ approved = null, signal }: JudgeContext): Promise<readonly SyncTimes[]> {
    try {
      return await this.#syncs.list(approved, { signal });
    } catch {
      return [];
    }
  }

  /**
   * For an answer of several kinds, by sync records that were read already. A kind counts when it is in the answer, or has a sync record; one that nobody
   * collects and that is not shown says nothing about the answer.
   */
  judge(answer: AnswerKinds, syncs: readonly SyncTimes[]): Freshness {
    return freshnessOf(answer, syncs, this.#clock.now());
  }
}
