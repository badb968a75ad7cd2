import { NotFoundError } from '../../domain/shared/domain-error.js';
import type { ServiceDetail } from '../../domain/status/service-status.js';
import { serviceChangesAt } from '../../policies/service-status.js';
import type { Clock } from '../../ports/clock.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { ServiceReader } from '../../ports/service-reader.js';
import { alsoChangingAt, type ComposedAnswer } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/freshness-judge.js';
import type { StatusBoard } from './status-board.js';

export interface ServiceInput {
  /** `<provider>:<component>` */
  readonly key: string;
}

/** The status of one service. */
export class GetService {
  readonly #services: ServiceReader;
  readonly #board: StatusBoard;
  readonly #freshness: FreshnessJudge;
  readonly #clock: Clock;

  constructor(services: ServiceReader, board: StatusBoard, freshness: FreshnessJudge, clock: Clock) {
    this.#services = services;
    this.#board = board;
    this.#freshness = freshness;
    this.#clock = clock;
  }

  async execute({ key }: ServiceInput, context: ReadContext): Promise<ComposedAnswer<ServiceDetail>> {
    const service = await this.#services.byKey(key, context);
    if (service === null) throw new NotFoundError();
    // All figures are calculated for the same moment.
    const now = this.#clock.now();
    const [data, freshness] = await Promise.all([
      this.#board.detailOf(service, now, context),
      this.#freshness.of('check', { serviceKey: key }, context),
    ]);
    return { data, ...alsoChangingAt(freshness, [serviceChangesAt(data, now)]), generatedAt: now };
  }
}
