import { InvalidInputError } from '../../domain/shared/domain-error.js';
import { DAY, startOfDay, type Instant } from '../../domain/shared/instant.js';
import type { DayStatus } from '../../domain/status/service-status.js';
import type { Service } from '../../domain/status/service.js';
import { EVERY_SOURCE } from '../../policies/freshness.js';
import { dayStatusOf } from '../../policies/service-status.js';
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
  /** How many UTC days, the present one included; 1 to {@link MAX_BOARD_DAYS}. */
  readonly days: number;
}

export interface ServiceDays {
  readonly service: Service;
  /** Newest first, every day listed, also those without a check. The present day ends now, so it is not complete. Response times are left out: see `ListServiceDays`. */
  readonly days: readonly DayStatus[];
}

/** The last days of all services, by key, in a constant number of queries. */
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
    const window = { from: today - (input.days - 1) * DAY, to: now, withoutLatency: true };
    const [services, evidence, slices, freshness] = await Promise.all([
      this.#services.list(context),
      started(() => this.#checks.evidence({ serviceKeys: null, windows: [], now }, context)),
      started(() => this.#checks.days({ serviceKeys: null, window, now }, context)),
      this.#freshness.of('check', EVERY_SOURCE, context),
    ]);
    const days = Array.from({ length: input.days }, (_, index) => today - index * DAY);
    const data = services.map((service): ServiceDays => {
      const tallies = talliesOf(slices.get(service.key) ?? []);
      const trackedFrom = evidence.get(service.key)?.trackedFrom ?? null;
      return { service, days: days.map((day) => dayStatusOf(day, tallies.get(day) ?? null, window, trackedFrom)) };
    });
    return { data, ...alsoChangingAt(freshness, [today + DAY]), generatedAt: now };
  }
}

function talliesOf(slices: readonly DaySlice[]): ReadonlyMap<Instant, DaySlice['tally']> {
  return new Map(slices.map(({ day, tally }) => [day, tally]));
}
