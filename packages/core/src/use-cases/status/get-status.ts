import type { StatusOverview } from '../../domain/status/service-status.js';
import { combinedStatus } from '../../policies/freshness.js';
import type { Clock } from '../../ports/clock.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { ComposedAnswer } from '../shared/answer.js';
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
    const [{ overview, warnings }, freshness] = await Promise.all([this.#board.overview(context), this.#freshness.of('check', context)]);
    const dataStatus = combinedStatus(warnings.length > 0 ? [freshness, 'partial'] : [freshness]);
    return { data: overview, dataStatus, warnings, generatedAt: this.#clock.now() };
  }
}
