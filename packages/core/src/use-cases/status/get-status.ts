import type { StatusOverview } from '../../domain/status/service-status.js';
import { EVERY_SOURCE } from '../../policies/freshness.js';
import { statusChangesAt } from '../../policies/service-status.js';
import type { Clock } from '../../ports/clock.js';
import type { ReadContext } from '../../ports/read-context.js';
import { alsoChangingAt, withoutParts, type ComposedAnswer } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/freshness-judge.js';
import type { StatusBoard } from './status-board.js';

/** The status of all services, and of the whole: the worst of them. */
export class GetStatus {
  readonly #board: StatusBoard;
  readonly #freshness: FreshnessJudge;
  readonly #clock: Clock;

  constructor(board: StatusBoard, freshness: FreshnessJudge, clock: Clock) {
    this.#board = board;
    this.#freshness = freshness;
    this.#clock = clock;
  }

  async execute(_input: Readonly<Record<string, never>>, context: ReadContext): Promise<ComposedAnswer<StatusOverview>> {
    // All figures are calculated for the same moment.
    const now = this.#clock.now();
    const [{ overview, warnings }, freshness] = await Promise.all([
      this.#board.overview(now, context),
      this.#freshness.of('check', EVERY_SOURCE, context),
    ]);
    return { data: overview, ...alsoChangingAt(withoutParts(freshness, warnings), [statusChangesAt(overview, now)]), generatedAt: now };
  }
}
