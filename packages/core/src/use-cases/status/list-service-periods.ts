import { InvalidInputError, NotFoundError } from '../../kinds/domain-error.js';
import { DAY, EARLIEST_INSTANT, HOUR, startOfDay, startOfHour, type Instant } from '../../kinds/instant.js';
import type { Page, PageRequest } from '../../kinds/page.js';
import { UPTIME_WINDOW_DAYS, type PeriodStatus, type ServiceEvidence } from '../../kinds/service-status.js';
import type { Tally, Window } from '../../kinds/status-day.js';
import type { ReadContext } from '../../ports/readers.js';
import { incidentsIn } from '../../rules/detected-outages.js';
import { periodStatusOf } from '../../rules/service-status.js';
import { mergeTallies, uptimeWindow } from '../../rules/uptime.js';
import { alsoChangingAt, started, unreadable, withoutParts, type ComposedAnswer } from '../shared/answer.js';
import type { Parts } from '../shared/parts.js';
import { NEWEST_PAGE } from '../shared/records.js';
import { incidentsOfService } from './incidents.js';
import type { ServiceInput } from './services.js';
import { byKey, limit, positionOf, range, withoutPermission } from '../shared/arguments.js';

/** The most days that one request for days may span. */
export const MAX_HISTORY_DAYS = 400;
/** The most days that one request for hours may span. */
export const MAX_HOURLY_DAYS = 92;

/** Where a page of days or hours ends. It keeps the moment of the first page, so that all pages are cut at the same window. */
export interface PeriodPosition {
  readonly now: Instant;
  /** Start of the last day or hour shown. */
  readonly start: Instant;
}

export interface ListServicePeriodsInput extends ServiceInput, PageRequest<PeriodPosition> {
  /** Any moment of the first and of the last day or hour; both `null` means the uptime window, whose first and last one are cut. */
  readonly from: Instant | null;
  readonly to: Instant | null;
}

const UNITS = {
  day: { lengthMs: DAY, mostDays: MAX_HISTORY_DAYS, startOf: startOfDay },
  hour: { lengthMs: HOUR, mostDays: MAX_HOURLY_DAYS, startOf: startOfHour },
} as const;
type Unit = (typeof UNITS)[keyof typeof UNITS];

/** The days or hours of one service, newest first, each of them listed, also those without a check. */
export class ListServicePeriods {
  readonly takes = withoutPermission<ListServicePeriodsInput>({ ...byKey, limit, after: positionOf('now', 'start'), ...range });
  readonly #unit: Unit;

  constructor(
    unit: keyof typeof UNITS,
    private readonly parts: Parts<'board' | 'freshness' | 'clock', 'services' | 'checks' | 'incidents'>,
  ) {
    this.#unit = UNITS[unit];
  }

  /** Throws an `InvalidInputError` for a span of more than {@link MAX_HISTORY_DAYS}, or {@link MAX_HOURLY_DAYS} for hours. */
  async execute(
    given: ServiceInput & Partial<ListServicePeriodsInput>,
    context: ReadContext,
  ): Promise<ComposedAnswer<Page<PeriodStatus, PeriodPosition>>> {
    const { readers, freshness, clock } = this.parts;
    const input = { ...NEWEST_PAGE, ...given };
    const now = Math.min(input.after?.now ?? Infinity, clock.now());
    const span = spanOf(input, this.#unit, now);
    const [service, judged] = await Promise.all([
      readers.services.byKey(input.key, context),
      started(() => freshness.of('check', { serviceKey: input.key }, context)),
    ]);
    if (service === null) throw new NotFoundError();
    const starts = startsOf(span, this.#unit, input.after).slice(0, input.limit + 1);
    const shown = starts.slice(0, input.limit);
    const { items, warnings } = await this.#statuses(input.key, shown, { span, now }, context);
    const last = items.at(-1);
    const next = starts.length > input.limit && last !== undefined ? { now, start: last.start } : null;
    const changing = alsoChangingAt(withoutParts(judged, warnings), [nextOf(input, this.#unit, now)]);
    return { data: { items, next }, ...changing, generatedAt: clock.now() };
  }

  async #statuses(key: string, starts: readonly Instant[], { span, now }: { readonly span: Span; readonly now: Instant }, context: ReadContext) {
    const [newest, oldest] = [starts[0], starts.at(-1)];
    if (newest === undefined || oldest === undefined) return { items: [], warnings: [] };
    const part = { from: Math.max(oldest, span.window.from), to: Math.min(newest + this.#unit.lengthMs, span.window.to) };
    const [evidence, tallies, incidents] = await Promise.all([
      this.parts.board.evidence([key], now, context).then((found) => found.get(key) ?? null),
      this.#unit.lengthMs === DAY ? this.#days(key, part, now, context) : this.#hours(key, part, now, context),
      incidentsOfService(this.parts.readers.incidents, key, part, now, context),
    ]);
    const present = this.#presentOf(evidence, now, newest);
    const items = starts.map((start): PeriodStatus => {
      const tally = (start === present?.start ? present.tally : tallies.get(start)) ?? null;
      const period = { from: start, to: start + this.#unit.lengthMs };
      const shown = { start, lengthMs: this.#unit.lengthMs, tally, incidents: incidentsIn(incidents ?? [], key, period) };
      return periodStatusOf(shown, span.window, evidence?.trackedFrom ?? null);
    });
    return { items, warnings: incidents === null ? [unreadable('incident')] : [] };
  }

  /** Today or the present hour, if it is shown. */
  #presentOf(evidence: ServiceEvidence | null, now: Instant, newest: Instant): { readonly start: Instant; readonly tally: Tally } | null {
    const start = this.#unit.startOf(now);
    if (evidence === null || newest !== start) return null;
    const tally = this.#unit.lengthMs === DAY ? evidence.today : evidence.thisHour;
    return isEmpty(tally) ? null : { start, tally };
  }

  /** The stored days that have ended. The window may cut the first one. */
  async #days(key: string, { from, to }: Window, now: Instant, context: ReadContext): Promise<Map<Instant, Tally>> {
    const end = Math.min(startOfDay(to), startOfDay(now));
    const firstWhole = Math.ceil(from / DAY) * DAY;
    const isCut = firstWhole > from && firstWhole <= end;
    const [days, cut] = await Promise.all([
      started(() => this.parts.readers.checks.days({ serviceKeys: [key], window: { from: firstWhole, to: Math.max(firstWhole, end) } }, context)),
      isCut ? started(() => this.parts.readers.checks.hours(key, { from, to: firstWhole }, context)) : [],
    ]);
    const found = new Map<Instant, Tally>((days.get(key) ?? []).map((day) => [day.day, day]));
    if (cut.length > 0) found.set(firstWhole - DAY, mergeTallies(cut));
    return found;
  }

  async #hours(key: string, { from, to }: Window, now: Instant, context: ReadContext): Promise<Map<Instant, Tally>> {
    const end = Math.min(Math.ceil(to / HOUR) * HOUR, startOfHour(now));
    const hours = from < end ? await this.parts.readers.checks.hours(key, { from, to: end }, context) : [];
    return new Map(hours.map((hour) => [hour.hour, hour]));
  }
}

function isEmpty({ counts, coveredMs }: Tally): boolean {
  return coveredMs === 0 && Object.values(counts).every((count) => count === 0);
}

/**
 * What is asked for: the moments that count, and the starts of the first and the last day or hour that are listed. At midnight sharp the last one is the day that has just
 * begun, which holds the checks of that moment.
 */
function spanOf({ from, to }: ListServicePeriodsInput, { lengthMs, mostDays, startOf }: Unit, now: Instant) {
  const last = startOf(Math.min(to ?? now, now));
  if (from === null && to === null) {
    const window = uptimeWindow(UPTIME_WINDOW_DAYS, now);
    return { window, first: startOf(window.from), last };
  }
  const first = startOf(from ?? Math.max(last - UPTIME_WINDOW_DAYS * DAY, EARLIEST_INSTANT));
  if (last - first >= mostDays * DAY)
    throw new InvalidInputError('from', `must be less than ${String(mostDays)} days before to, or before today without it`);
  return { window: { from: first, to: Math.min(last + lengthMs, now) }, first, last };
}

/** When a day or hour is added by time alone; `null` for a span that has ended, and for a later page, which keeps the moment of the first one. */
function nextOf({ after, to }: ListServicePeriodsInput, { lengthMs, startOf }: Unit, now: Instant): Instant | null {
  const next = startOf(now) + lengthMs;
  return after === null && (to === null || to >= next) ? next : null;
}

type Span = ReturnType<typeof spanOf>;

/** The days or hours of the window, newest first, below the position. */
function startsOf({ first, last }: Span, { lengthMs, startOf }: Unit, after: PeriodPosition | null): Instant[] {
  const starts: Instant[] = [];
  const newest = after === null ? last : Math.min(last, startOf(after.start) - lengthMs);
  for (let start = newest; start >= first; start -= lengthMs) starts.push(start);
  return starts;
}
