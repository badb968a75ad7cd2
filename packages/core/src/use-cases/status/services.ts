import { CHECK_CLOCK_TOLERANCE_MS, type Check } from '../../kinds/check.js';
import { NotFoundError } from '../../kinds/domain-error.js';
import { DAY, startOfDay, startOfMonth, type Instant } from '../../kinds/instant.js';
import { acceptedValues, compareText, pageOf, type FilterValue, type IdPosition, type Page, type TimePosition } from '../../kinds/page.js';
import type { LastDays, ServiceDetail, ServiceMonth, ServiceStatus, StatusOverview } from '../../kinds/service-status.js';
import type { Service } from '../../kinds/service.js';
import type { TallyWindow } from '../../kinds/status-day.js';
import type { CheckReader, IncidentReader, ReadContext, ServiceReader } from '../../ports/readers.js';
import type { Clock, Deadlines } from '../../ports/store.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { withServiceAddress } from '../../rules/own-url.js';
import { wholeUpTo } from '../../rules/rules-of-arguments.js';
import { dayFiguresOf, overallStateOf, serviceChangesAt, serviceStatusOf, statusChangesAt } from '../../rules/service-status.js';
import { mergeTallies, NO_TALLY, uptimeOf } from '../../rules/uptime.js';
import {
  alsoChangingAt,
  latestVisible,
  started,
  unreadable,
  withoutParts,
  type ComposedAnswer,
  type FreshnessJudge,
  type Warning,
} from '../shared/answer.js';
import { byKey, filter, limit, positionOf, timeList, withoutPermission } from '../shared/arguments.js';
import { FIRST_PAGE, NEWEST_PAGE, rangeOf, type TimeListInput } from '../shared/records.js';
import type { ServiceBoard } from './service-board.js';

/** The time that incidents and past days have, in milliseconds: less than the whole response, so that the services are still shown without them. */
const BESIDE_DEADLINE_MS = 800;

const MONTHS = 12;

interface FoundStatus {
  readonly overview: StatusOverview;
  /** `null` if they were not asked for, or cannot be read. */
  readonly days: LastDays | null;
  readonly warnings: readonly Warning[];
}

export interface StatusReaders {
  readonly services: ServiceReader;
  readonly board: ServiceBoard;
  readonly checks: CheckReader;
  readonly incidents: IncidentReader;
}

/** The status of services at a moment, from stored checks alone. */
export class StatusBoard {
  constructor(
    private readonly readers: StatusReaders,
    private readonly deadlines: Deadlines,
  ) {}

  /**
   * All services and the unresolved incidents. What cannot be read in time beside the services produces a warning; unreadable services reject.
   *
   * @param count see `ServiceBoard.pastDays`; default: none are read
   */
  async overview(now: Instant, context: ReadContext, count?: number): Promise<FoundStatus> {
    const { incidents, board } = this.readers;
    const [{ statuses, evidence }, current, past] = await Promise.all([
      this.#judged(now, context),
      this.#beside(context, (own) => incidents.unresolved(latestVisible(now), own)),
      count === undefined ? null : this.#beside(context, (own) => board.pastDays(count, now, own)),
    ]);
    const checked = statuses.flatMap(({ lastCheckedAt }) => (lastCheckedAt === null ? [] : [lastCheckedAt]));
    return {
      overview: {
        overallState: overallStateOf(statuses),
        services: statuses,
        incidents: { current: current ?? [], historicalAvailable: current !== null },
        observedAt: checked.length === 0 ? null : Math.max(...checked),
      },
      days: past === null ? null : { today: new Map([...evidence].map(([key, { today }]) => [key, dayFiguresOf(today)])), past },
      warnings: [...(count !== undefined && past === null ? [unreadable('check')] : []), ...(current === null ? [unreadable('incident')] : [])],
    };
  }

  async detailOf(service: Service, now: Instant, context: ReadContext): Promise<ServiceDetail> {
    const { board, checks } = this.readers;
    const ranges = monthsUntil(now);
    const [found, sums] = await Promise.all([
      board.evidence([service.key], now, context),
      started(() => checks.sums({ serviceKeys: [service.key], ranges }, context)),
    ]);
    const evidence = found.get(service.key) ?? null;
    const past = sums.get(service.key) ?? [];
    const months = ranges.flatMap(({ from }, index): readonly ServiceMonth[] => {
      if (evidence === null || startOfMonth(evidence.trackedFrom) > from) return [];
      const { counts, outageMs } = mergeTallies([past[index] ?? NO_TALLY, ...(index === 0 ? [evidence.today] : [])]);
      return [{ month: from, ...uptimeOf(counts), outageMs }];
    });
    return { ...serviceStatusOf(service, evidence, now), months };
  }

  /** All services, by key. */
  async services(now: Instant, context: ReadContext): Promise<readonly ServiceStatus[]> {
    return (await this.#judged(now, context)).statuses;
  }

  async #judged(now: Instant, context: ReadContext) {
    const { services, board } = this.readers;
    const [known, evidence] = await Promise.all([services.list(context), started(() => board.evidence(null, now, context))]);
    return { evidence, statuses: known.map((service) => serviceStatusOf(service, evidence.get(service.key) ?? null, now)) };
  }

  async #beside<Read>({ signal }: ReadContext, read: (context: ReadContext) => Promise<Read>): Promise<Read | null> {
    return this.deadlines.run(BESIDE_DEADLINE_MS, signal, (own) => read({ signal: own })).catch(() => null);
  }
}

/** The present month up to today, and those before it. Newest first. */
function monthsUntil(now: Instant): readonly TallyWindow[] {
  return Array.from({ length: MONTHS }, (_, index) => ({
    from: startOfMonth(now, -index),
    to: Math.min(startOfMonth(now, 1 - index), startOfDay(now)),
    withoutLatency: true,
  }));
}

const MOST_DAYS = 400;

export interface GetStatusInput {
  /** How many UTC dates, the present one included, are told of each service. Default: none. */
  readonly days?: number;
}

export interface StatusAnswer extends ComposedAnswer<StatusOverview> {
  /** `null` if none were asked for, or they cannot be read in time. */
  readonly days: LastDays | null;
}

/** The status of all services, and of the whole: the worst of them. */
export class GetStatus {
  readonly takes = withoutPermission<GetStatusInput>({ days: wholeUpTo(MOST_DAYS) });

  constructor(
    private readonly board: StatusBoard,
    private readonly freshness: FreshnessJudge,
    private readonly clock: Clock,
  ) {}

  async execute({ days: count }: GetStatusInput, context: ReadContext): Promise<StatusAnswer> {
    // All figures are calculated for the same moment.
    const now = this.clock.now();
    const [{ overview, days, warnings }, freshness] = await Promise.all([
      this.board.overview(now, context, count),
      this.freshness.of('check', EVERY_SOURCE, context),
    ]);
    const moments = [statusChangesAt(overview, now), days === null ? null : startOfDay(now) + DAY];
    return { data: overview, days, ...alsoChangingAt(withoutParts(freshness, warnings), moments), generatedAt: now };
  }
}

interface ListServicesInput {
  /** 1 to 100. */
  readonly limit: number;
  readonly after: IdPosition | null;
  /** The current state. */
  readonly state: FilterValue;
  readonly group: FilterValue;
}

export class ListServices {
  readonly takes = withoutPermission<ListServicesInput>({ limit, after: positionOf('id'), state: filter, group: filter });

  constructor(
    private readonly board: StatusBoard,
    private readonly freshness: FreshnessJudge,
    private readonly clock: Clock,
  ) {}

  async execute(input: Partial<ListServicesInput>, context: ReadContext): Promise<ComposedAnswer<Page<ServiceStatus, IdPosition>>> {
    const { limit, after, state = null, group = null } = { ...FIRST_PAGE, ...input };
    const now = this.clock.now();
    const [all, freshness] = await Promise.all([this.board.services(now, context), this.freshness.of('check', EVERY_SOURCE, context)]);
    const isAsked = (filter: FilterValue, value: string | null) => acceptedValues(filter)?.some((accepted) => accepted === value) ?? true;
    const asked = all.filter(
      (service) =>
        (after === null || compareText(service.key, after.id) > 0) && isAsked(state, service.currentState) && isAsked(group, service.group),
    );
    const data = pageOf(asked.slice(0, limit + 1), limit, ({ key }) => ({ id: key }));
    // Also of those that are not asked for: they may be, once their state has changed.
    const changes = all.map((service) => serviceChangesAt(service, now));
    return { data, ...alsoChangingAt(freshness, changes), generatedAt: now };
  }
}

export interface ServiceInput {
  /** `<provider>:<component>` */
  readonly key: string;
}

export class GetService {
  readonly takes = withoutPermission<ServiceInput>(byKey);

  constructor(
    private readonly services: ServiceReader,
    private readonly board: StatusBoard,
    private readonly freshness: FreshnessJudge,
    private readonly clock: Clock,
  ) {}

  async execute({ key }: ServiceInput, context: ReadContext): Promise<ComposedAnswer<ServiceDetail>> {
    const service = await this.services.byKey(key, context);
    if (service === null) throw new NotFoundError();
    // All figures are calculated for the same moment.
    const now = this.clock.now();
    const [data, freshness] = await Promise.all([
      this.board.detailOf(service, now, context),
      this.freshness.of('check', { serviceKey: key }, context),
    ]);
    return { data, ...alsoChangingAt(freshness, [serviceChangesAt(data, now)]), generatedAt: now };
  }
}

export interface ListServiceChecksInput extends ServiceInput, TimeListInput {}

/** The stored checks of one service, newest first. */
export class ListServiceChecks {
  readonly takes = withoutPermission<ListServiceChecksInput>({ ...timeList, ...byKey });

  constructor(
    private readonly services: ServiceReader,
    private readonly checks: CheckReader,
    private readonly freshness: FreshnessJudge,
    private readonly clock: Clock,
  ) {}

  async execute(given: ServiceInput & Partial<TimeListInput>, context: ReadContext): Promise<ComposedAnswer<Page<Check, TimePosition>>> {
    const input = { ...NEWEST_PAGE, ...given };
    const now = this.clock.now();
    const [service, data, freshness] = await Promise.all([
      this.services.byKey(input.key, context),
      started(() => this.checks.list(input.key, rangeOf(input, now + CHECK_CLOCK_TOLERANCE_MS), context)),
      this.freshness.of('check', { serviceKey: input.key }, context),
    ]);
    if (service === null) throw new NotFoundError();
    const items = data.items.map((check) => withServiceAddress(check, service));
    return { data: { ...data, items }, ...freshness, generatedAt: now };
  }
}
