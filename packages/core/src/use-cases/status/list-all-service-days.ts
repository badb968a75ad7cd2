import { InvalidInputError } from '../../kinds/domain-error.js';
import { DAY, type Instant, startOfDay } from '../../kinds/instant.js';
import type { Service } from '../../kinds/service.js';
import type { ReadContext, ServiceReader } from '../../ports/readers.js';
import type { Clock } from '../../ports/runtime.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { alsoChangingAt, started, type ComposedAnswer, type FreshnessJudge } from '../shared/answer.js';
import { boardDayOf, type BoardDay, type ServiceBoard } from './service-board.js';

/** The most days that one request may ask for. */
export const MAX_BOARD_DAYS = 366;

export interface ListAllServiceDaysInput {
  /** How many UTC dates, the present one included; 1 to {@link MAX_BOARD_DAYS}. They are those of a window of one day less, so the first is cut at its start. */
  readonly days: number;
}

export interface ServiceDays {
  readonly service: Service;
  /** Newest first, the present day included. `ListServicePeriods` tells more of each day. */
  readonly days: readonly BoardDay[];
}

const UNCHECKED: BoardDay = { state: 'unknown', outageMs: null, degradedMs: null, checks: 0, failed: 0 };

/** The last days of all services, by key, in a constant number of queries. */
export class ListAllServiceDays {
  constructor(
    private readonly services: ServiceReader,
    private readonly board: ServiceBoard,
    private readonly freshness: FreshnessJudge,
    private readonly clock: Clock,
  ) {}

  /** Throws an `InvalidInputError` for another number of days. */
  async execute(input: ListAllServiceDaysInput, context: ReadContext): Promise<ComposedAnswer<readonly ServiceDays[]>> {
    if (!Number.isInteger(input.days) || input.days < 1 || input.days > MAX_BOARD_DAYS)
      throw new InvalidInputError('days', `must be a whole number from 1 to ${String(MAX_BOARD_DAYS)}`);
    const now = this.clock.now();
    const today = startOfDay(now);
    const [services, boards, freshness] = await Promise.all([
      this.services.list(context),
      started(() => this.#boards(input.days, now, context)),
      this.freshness.of('check', EVERY_SOURCE, context),
    ]);
    const unchecked = Array<BoardDay>(input.days).fill(UNCHECKED);
    const data = services.map((service): ServiceDays => ({ service, days: boards.get(service.key) ?? unchecked }));
    return { data, ...alsoChangingAt(freshness, [today + DAY]), generatedAt: now };
  }

  async #boards(count: number, now: Instant, context: ReadContext): Promise<ReadonlyMap<string, readonly BoardDay[]>> {
    const today = startOfDay(now);
    const [evidence, past] = await Promise.all([this.board.evidence(null, now, context), started(() => this.board.pastDays(count, now, context))]);
    const boards = new Map<string, readonly BoardDay[]>();
    for (const [key, { today: counted }] of evidence) {
      const own = past.get(key);
      const days = Array.from({ length: count }, (_, index) => own?.get(today - index * DAY) ?? UNCHECKED);
      boards.set(key, [boardDayOf(counted) ?? UNCHECKED, ...days.slice(1)]);
    }
    return boards;
  }
}
