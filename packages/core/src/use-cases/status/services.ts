import { CHECK_CLOCK_TOLERANCE_MS, type Check } from '../../kinds/check.js';
import { InvalidInputError, NotFoundError } from '../../kinds/domain-error.js';
import { DAY, startOfDay, type Instant } from '../../kinds/instant.js';
import { compareText, pageOf, type IdPosition, type Page, type TimePosition } from '../../kinds/page.js';
import type { ServiceDetail, ServiceStatus, StatusOverview } from '../../kinds/service-status.js';
import type { Service } from '../../kinds/service.js';
import type { CheckReader } from '../../ports/check-reader.js';
import { acceptedValues, type FilterValue, type ReadContext, type ServiceReader } from '../../ports/readers.js';
import type { Clock } from '../../ports/store.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { withServiceAddress } from '../../rules/own-url.js';
import { serviceChangesAt, statusChangesAt } from '../../rules/service-status.js';
import { alsoChangingAt, started, withoutParts, type ComposedAnswer, type FreshnessJudge } from '../shared/answer.js';
import { FIRST_PAGE, NEWEST_PAGE, rangeOf, type TimeListInput } from '../shared/records.js';
import { boardDayOf, type BoardDay, type ServiceBoard } from './service-board.js';
import type { StatusBoard } from './status-board.js';

/** The status of all services, and of the whole: the worst of them. */
export class GetStatus {
  constructor(
    private readonly board: StatusBoard,
    private readonly freshness: FreshnessJudge,
    private readonly clock: Clock,
  ) {}

  async execute(_input: Readonly<Record<string, never>>, context: ReadContext): Promise<ComposedAnswer<StatusOverview>> {
    // All figures are calculated for the same moment.
    const now = this.clock.now();
    const [{ overview, warnings }, freshness] = await Promise.all([
      this.board.overview(now, context),
      this.freshness.of('check', EVERY_SOURCE, context),
    ]);
    return { data: overview, ...alsoChangingAt(withoutParts(freshness, warnings), [statusChangesAt(overview, now)]), generatedAt: now };
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

/** The status of services, by key. */
export class ListServices {
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
    return {
      data,
      ...alsoChangingAt(
        freshness,
        all.map((service) => serviceChangesAt(service, now)),
      ),
      generatedAt: now,
    };
  }
}

export interface ServiceInput {
  /** `<provider>:<component>` */
  readonly key: string;
}

/** The status of one service. */
export class GetService {
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
