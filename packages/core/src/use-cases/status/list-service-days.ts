import { InvalidInputError, NotFoundError } from '../../domain/shared/domain-error.js';
import { DAY, startOfDay, type Instant } from '../../domain/shared/instant.js';
import type { Page } from '../../domain/shared/page.js';
import type { Window } from '../../domain/status/day-tally.js';
import { UPTIME_WINDOW_DAYS, type DayStatus } from '../../domain/status/service-status.js';
import { dayStatusOf } from '../../policies/service-status.js';
import { uptimeWindow } from '../../policies/uptime.js';
import type { CheckReader } from '../../ports/check-reader.js';
import type { Clock } from '../../ports/clock.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { ServiceReader } from '../../ports/service-reader.js';
import { alsoChangingAt, type ComposedAnswer } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/freshness-judge.js';
import { started } from '../shared/started.js';
import type { ServiceInput } from './get-service.js';

/** The most days that one request may span. */
export const MAX_HISTORY_DAYS = 400;

/** Where a page of days ends. It keeps the moment of the first page, so that all pages are cut at the same window. */
export interface DayPosition {
  readonly now: Instant;
  /** Start of the last day shown. */
  readonly day: Instant;
}

export interface ListServiceDaysInput extends ServiceInput {
  /** 1 to 100. */
  readonly limit: number;
  readonly after: DayPosition | null;
  /** Any moment of the first and of the last UTC day; both `null` means the uptime window, whose first and last day are cut. */
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/** What is asked for: the moments that count, and the UTC days that are listed. */
interface Span {
  readonly window: Window;
  /** Start of the first day. */
  readonly first: Instant;
  /** Start of the last day. At midnight sharp it is the day that has just begun, which holds the checks of that moment. */
  readonly last: Instant;
}

/** The days of one service, newest first, each of them listed, also those without a check. */
export class ListServiceDays {
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

  /** Throws an `InvalidInputError` for a span of more than {@link MAX_HISTORY_DAYS}. */
  async execute(input: ListServiceDaysInput, context: ReadContext): Promise<ComposedAnswer<Page<DayStatus, DayPosition>>> {
    const now = Math.min(input.after?.now ?? Infinity, this.#clock.now());
    const span = spanOf(input, now);
    const [service, freshness] = await Promise.all([
      this.#services.byKey(input.key, context),
      this.#freshness.of('check', { serviceKey: input.key }, context),
    ]);
    if (service === null) throw new NotFoundError();
    const days = daysOf(span, input.after).slice(0, input.limit + 1);
    const items = await this.#statuses(input.key, days.slice(0, input.limit), span.window, now, context);
    const last = items.at(-1);
    const next = days.length > input.limit && last !== undefined ? { now, day: last.day } : null;
    return { data: { items, next }, ...alsoChangingAt(freshness, [nextDayOf(input, now)]), generatedAt: this.#clock.now() };
  }

  async #statuses(key: string, days: readonly Instant[], window: Window, now: Instant, context: ReadContext): Promise<readonly DayStatus[]> {
    const [newest, oldest] = [days[0], days.at(-1)];
    if (newest === undefined || oldest === undefined) return [];
    const part = { from: Math.max(oldest, window.from), to: Math.min(newest + DAY, window.to) };
    const [evidence, slices] = await Promise.all([
      this.#checks.evidence({ serviceKeys: [key], windows: [], now }, context),
      started(() => this.#checks.days({ serviceKeys: [key], window: part, now }, context)),
    ]);
    const tallies = new Map(slices.get(key)?.map(({ day, tally }) => [day, tally]));
    return days.map((day) => dayStatusOf(day, tallies.get(day) ?? null, window, evidence.get(key)?.trackedFrom ?? null));
  }
}

function spanOf({ from, to }: ListServiceDaysInput, now: Instant): Span {
  const last = startOfDay(Math.min(to ?? now, now));
  if (from === null && to === null) {
    const window = uptimeWindow(UPTIME_WINDOW_DAYS, now);
    return { window, first: startOfDay(window.from), last };
  }
  const first = startOfDay(from ?? last - UPTIME_WINDOW_DAYS * DAY);
  if (last - first >= MAX_HISTORY_DAYS * DAY)
    throw new InvalidInputError('from', `must be less than ${String(MAX_HISTORY_DAYS)} days before to, or before today without it`);
  return { window: { from: first, to: Math.min(last + DAY, now) }, first, last };
}

/** When a day is added by time alone; `null` for a span that has ended, and for a later page, which keeps the moment of the first one. */
function nextDayOf({ after, to }: ListServiceDaysInput, now: Instant): Instant | null {
  const next = startOfDay(now) + DAY;
  return after === null && (to === null || to >= next) ? next : null;
}

/** The UTC days of the window, newest first, below the position. */
function daysOf({ first, last }: Span, after: DayPosition | null): Instant[] {
  const days: Instant[] = [];
  const newest = after === null ? last : Math.min(last, startOfDay(after.day) - DAY);
  for (let day = newest; day >= first; day -= DAY) days.push(day);
  return days;
}
