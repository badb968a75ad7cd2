import { InvalidInputError } from '../../domain/shared/domain-error.js';
import { DAY, startOfDay, type Instant } from '../../domain/shared/instant.js';
import type { ServiceState } from '../../domain/status/service-state.js';
import type { Service } from '../../domain/status/service.js';
import { EVERY_SOURCE } from '../../policies/freshness.js';
import { stateOfDay, uptimeWindow } from '../../policies/uptime.js';
import type { CheckReader, DaySlice } from '../../ports/check-reader.js';
import type { Clock } from '../../ports/clock.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { ServiceReader } from '../../ports/service-reader.js';
import { alsoChangingAt, type ComposedAnswer } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/freshness-judge.js';
import { started } from '../shared/started.js';

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
  readonly #freshness: FreshnessJudge;
  readonly #clock: Clock;

  constructor(services: ServiceReader, checks: CheckReader, freshness: FreshnessJudge, clock: Clock) {
    this.#services = services;
    this.#checks = checks;
    this.#freshness = freshness;
    this.#clock = clock;
  }

  /** Throws an `InvalidInputError` for another number of days. */
  async execute(input: ListAllServiceDaysInput, context: ReadContext): Promise<ComposedAnswer<readonly ServiceDays[]>> {
    if (!Number.isInteger(input.days) || input.days < 1 || input.days > MAX_BOARD_DAYS)
      throw new InvalidInputError('days', `must be a whole number from 1 to ${String(MAX_BOARD_DAYS)}`);
    const now = this.#clock.now();
    const today = startOfDay(now);
    const window = { ...uptimeWindow(input.days - 1, now), withoutLatency: true };
    const [services, slices, freshness] = await Promise.all([
      this.#services.list(context),
      started(() => this.#checks.days({ serviceKeys: null, window, now }, context)),
      this.#freshness.of('check', EVERY_SOURCE, context),
    ]);
    const data = services.map((service): ServiceDays => ({ service, days: statesOf(slices.get(service.key) ?? [], today, input.days) }));
    return { data, ...alsoChangingAt(freshness, [today + DAY]), generatedAt: now };
  }
}

function statesOf(slices: readonly DaySlice[], today: Instant, count: number): readonly ServiceState[] {
  const states = Array<ServiceState>(count).fill('unknown');
  for (const { day, tally } of slices) states[(today - day) / DAY] = stateOfDay(tally.counts);
  return states;
}
