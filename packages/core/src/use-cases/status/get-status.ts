import { NotFoundError } from '../../kinds/domain-error.js';
import type { ServiceDetail, StatusOverview } from '../../kinds/service-status.js';
import type { ReadContext, ServiceReader } from '../../ports/readers.js';
import type { Clock } from '../../ports/runtime.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { serviceChangesAt, statusChangesAt } from '../../rules/service-status.js';
import { type ComposedAnswer, alsoChangingAt, withoutParts } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/sources.js';
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
