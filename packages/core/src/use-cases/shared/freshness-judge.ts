import type { SyncTimes, SyncedKind } from '../../domain/shared/sync.js';
import type { ApprovedRepositories } from '../../policies/allowlist.js';
import { freshnessOf, type AnswerKinds, type Freshness, type SourceScope } from '../../policies/freshness.js';
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

  /** For an answer of one kind. Sync records that cannot be read give nothing to judge by: `unknown`. */
  of(kind: SyncedKind, scope: SourceScope, context: JudgeContext): Promise<Freshness> {
    return this.ofAny({ kinds: [kind], shown: [kind], scope }, context);
  }

  /**
   * For an answer of several kinds: a kind counts when it is in the answer, or has a sync record; one that nobody collects and that is not shown says
   * nothing about the answer.
   */
  async ofAny(answer: AnswerKinds, context: JudgeContext): Promise<Freshness> {
    return this.judge(answer, await this.syncs(context));
  }

  /** The sync records to {@link judge} by; none when they cannot be read. */
  syncs({ approved = null, signal }: JudgeContext): Promise<readonly SyncTimes[]> {
    return this.#syncs.list(approved, { signal }).catch(() => []);
  }

  /** As {@link ofAny}, by sync records that were read already, side by side with what is shown. */
  judge(answer: AnswerKinds, syncs: readonly SyncTimes[]): Freshness {
    return freshnessOf(answer, syncs, this.#clock.now());
  }
}
