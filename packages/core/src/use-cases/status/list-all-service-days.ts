import type { ServiceState } from '../../kinds/check.js';
import { InvalidInputError } from '../../kinds/domain-error.js';
import { DAY, type Instant, startOfDay } from '../../kinds/instant.js';
import type { Service } from '../../kinds/service.js';
import type { Tally } from '../../kinds/status-day.js';
import type { CheckReader } from '../../ports/check-reader.js';
import type { ReadContext, ServiceReader } from '../../ports/readers.js';
import type { Clock } from '../../ports/runtime.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { stateOfDay, uptimeWindow } from '../../rules/uptime.js';
import { type ComposedAnswer, alsoChangingAt, started } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/sources.js';
import type { ServiceBoard } from './service-board.js';

/** The most days that one request may ask for. */
export const MAX_BOARD_DAYS = 366;

export interface ListAllServiceDaysInput {
  /** How many UTC dates, the present one included; 1 to {@link MAX_BOARD_DAYS}. They are those of a window of one day less, so the first is cut at its start. */
  readonly days: number;
}

/** What one UTC day of a service was like. */
export interface BoardDay {
  /** `unknown` for a day without a rated check. */
  readonly state: ServiceState;
  /** Milliseconds in outage; `null` if that is not known, or the day has no check. */
  readonly outageMs: number | null;
  /** The same for degraded. */
  readonly degradedMs: number | null;
  /** All checks of the day. */
  readonly checks: number;
  /** Those that found an outage. */
  readonly failed: number;
}

export interface ServiceDays {
  readonly service: Service;
  /** Newest first, the present day included. `ListServicePeriods` tells more of each day. */
  readonly days: readonly BoardDay[];
}

const UNCHECKED: BoardDay = { state: 'unknown', outageMs: null, degradedMs: null, checks: 0, failed: 0 };

/** The last days of all services, by key, in a constant number of queries. */
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
    const [services, boards, freshness] = await Promise.all([
      this.#services.list(context),
      started(() => this.#boards(input.days, now, context)),
      this.#freshness.of('check', EVERY_SOURCE, context),
    ]);
    const unchecked = Array<BoardDay>(input.days).fill(UNCHECKED);
    const data = services.map((service): ServiceDays => ({ service, days: boards.get(service.key) ?? unchecked }));
    return { data, ...alsoChangingAt(freshness, [today + DAY]), generatedAt: now };
  }

  async #boards(count: number, now: Instant, context: ReadContext): Promise<ReadonlyMap<string, readonly BoardDay[]>> {
    const [{ from }, today] = [uptimeWindow(count - 1, now), startOfDay(now)];
    const first = startOfDay(from);
    const firstWhole = Math.ceil(from / DAY) * DAY;
    const [evidence, days, cut] = await Promise.all([
      this.#board.evidence(null, now, context),
      started(() => this.#checks.days({ serviceKeys: null, window: { from: firstWhole, to: today, withoutLatency: true } }, context)),
      started(() => this.#checks.sums({ serviceKeys: null, ranges: [{ from, to: firstWhole, withoutLatency: true }] }, context)),
    ]);
    const boards = new Map<string, BoardDay[]>();
    for (const [key, { today: counted }] of evidence) {
      const own = Array<BoardDay>(count).fill(UNCHECKED);
      const set = (day: Instant, tally: Tally | undefined): void => {
        if (tally !== undefined && checksOf(tally) > 0) own[(today - day) / DAY] = boardDayOf(tally);
      };
      if (first < firstWhole) set(first, cut.get(key)?.[0]);
      for (const day of days.get(key) ?? []) set(day.day, day);
      set(today, counted);
      boards.set(key, own);
    }
    return boards;
  }
}

function boardDayOf(tally: Tally): BoardDay {
  const { counts, outageMs, degradedMs } = tally;
  return { state: stateOfDay(counts), outageMs, degradedMs, checks: checksOf(tally), failed: counts.outage };
}

function checksOf({ counts }: Tally): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
