import { InvalidInputError } from '../../domain/shared/domain-error.js';
import { DAY, startOfDay, type Instant } from '../../domain/shared/instant.js';
import type { ServiceState, StateCounts } from '../../domain/status/service-state.js';
import type { Service } from '../../domain/status/service.js';
import { EVERY_SOURCE } from '../../policies/freshness.js';
import { stateOfDay, uptimeWindow } from '../../policies/uptime.js';
import type { CheckReader } from '../../ports/check-reader.js';
import type { Clock } from '../../ports/clock.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { ServiceReader } from '../../ports/service-reader.js';
import { alsoChangingAt, type ComposedAnswer } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/freshness-judge.js';
import { started } from '../shared/started.js';
import type { ServiceBoard } from './service-board.js';

/** The most days that one request may ask for. */
export const MAX_BOARD_DAYS = 366;

export interface ListAllServiceDaysInput {
  /** How many UTC dates, the present one included; 1 to {@link MAX_BOARD_DAYS}. They are those of a window of one day less, so the first is cut at its start. */
  readonly days: number;
}

export interface ServiceDays {
  readonly service: Service;
  /** The state of each day, newest first, the present one included; `unknown` for a day without a rated check. `ListServiceDays` tells more of each day. */
  readonly days: readonly ServiceState[];
}

/** The states of the last days of all services, by key, in a constant number of queries. */
export class ListAllServiceDays {
  readonly #services: ServiceReader;
  readonly #checks: CheckReader;
  readonly #board: ServiceBoard;
  readonly #freshness: FreshnessJudge;
  readonly #clock: Clock;

  constructor(services: ServiceReader, checks: CheckReader, board: ServiceBoard, freshness: FreshnessJudge, clock: Clock) {
    this.#services = services;
    this.#checks = checks;
    this.#board = board;
    this.#freshness = freshness;
    this.#clock = clock;
  }

  /** Throws an `InvalidInputError` for another number of days. */
  async execute(input: ListAllServiceDaysInput, context: ReadContext): Promise<ComposedAnswer<readonly ServiceDays[]>> {
    if (!Number.isInteger(input.days) || input.days < 1 || input.days > MAX_BOARD_DAYS)
      throw new InvalidInputError('days', `must be a whole number from 1 to ${String(MAX_BOARD_DAYS)}`);
    const now = this.#clock.now();
    const today = startOfDay(now);
    const [services, states, freshness] = await Promise.all([
      this.#services.list(context),
      started(() => this.#states(input.days, now, context)),
      this.#freshness.of('check', EVERY_SOURCE, context),
    ]);
    const unchecked = Array<ServiceState>(input.days).fill('unknown');
    const data = services.map((service): ServiceDays => ({ service, days: states.get(service.key) ?? unchecked }));
    return { data, ...alsoChangingAt(freshness, [today + DAY]), generatedAt: now };
  }

  async #states(count: number, now: Instant, context: ReadContext): Promise<ReadonlyMap<string, readonly ServiceState[]>> {
    const [{ from }, today] = [uptimeWindow(count - 1, now), startOfDay(now)];
    const first = startOfDay(from);
    const firstWhole = Math.ceil(from / DAY) * DAY;
    const [evidence, days, cut] = await Promise.all([
      this.#board.evidence(null, now, context),
      started(() => this.#checks.days({ serviceKeys: null, window: { from: firstWhole, to: today, withoutLatency: true } }, context)),
      started(() => this.#checks.sums({ serviceKeys: null, ranges: [{ from, to: firstWhole, withoutLatency: true }] }, context)),
    ]);
    const states = new Map<string, ServiceState[]>();
    for (const [key, { today: counted }] of evidence) {
      const own = Array<ServiceState>(count).fill('unknown');
      const set = (day: Instant, counts: StateCounts | undefined): void => {
        if (counts !== undefined) own[(today - day) / DAY] = stateOfDay(counts);
      };
      if (first < firstWhole) set(first, cut.get(key)?.[0]?.counts);
      for (const { day, counts } of days.get(key) ?? []) set(day, counts);
      set(today, counted.counts);
      states.set(key, own);
    }
    return states;
  }
}
