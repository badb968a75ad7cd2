import { CHECK_CLOCK_TOLERANCE_MS, type Check } from '../../kinds/check.js';
import { NotFoundError } from '../../kinds/domain-error.js';
import { DAY, startOfDay } from '../../kinds/instant.js';
import { acceptedValues, compareText, pageOf } from '../../kinds/page.js';
import type { FilterValue, IdPosition, Page, PageRequest, TimePosition } from '../../kinds/page.js';
import type { LastDays, ServiceDetail, ServiceStatus, StatusOverview } from '../../kinds/service-status.js';
import type { ReadContext } from '../../ports/readers.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { withServiceAddress } from '../../rules/own-url.js';
import { wholeUpTo } from '../../rules/rules-of-arguments.js';
import { serviceChangesAt, statusChangesAt } from '../../rules/service-status.js';
import { alsoChangingAt, started, withoutParts, type ComposedAnswer } from '../shared/answer.js';
import { byKey, filter, limit, positionOf, timeList, withoutPermission } from '../shared/arguments.js';
import type { Parts, UseCaseParts } from '../shared/parts.js';
import { FIRST_PAGE, NEWEST_PAGE, rangeOf, type TimeListInput } from '../shared/records.js';

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

  constructor(private readonly parts: Pick<UseCaseParts, 'status' | 'freshness' | 'clock'>) {}

  async execute({ days: count }: GetStatusInput, context: ReadContext): Promise<StatusAnswer> {
    const { status, freshness: judge, clock } = this.parts;
    // All figures are calculated for the same moment.
    const now = clock.now();
    const [{ overview, days, warnings }, freshness] = await Promise.all([
      status.overview(now, context, count),
      judge.of('check', EVERY_SOURCE, context),
    ]);
    const moments = [statusChangesAt(overview, now), days === null ? null : startOfDay(now) + DAY];
    return { data: overview, days, ...alsoChangingAt(withoutParts(freshness, warnings), moments), generatedAt: now };
  }
}

interface ListServicesInput extends PageRequest<IdPosition> {
  /** The current state. */
  readonly state: FilterValue;
  readonly group: FilterValue;
}

export class ListServices {
  readonly takes = withoutPermission<ListServicesInput>({ limit, after: positionOf('id'), state: filter, group: filter });

  constructor(private readonly parts: Pick<UseCaseParts, 'status' | 'freshness' | 'clock'>) {}

  async execute(input: Partial<ListServicesInput>, context: ReadContext): Promise<ComposedAnswer<Page<ServiceStatus, IdPosition>>> {
    const { limit, after, state = null, group = null } = { ...FIRST_PAGE, ...input };
    const { status, freshness: judge, clock } = this.parts;
    const now = clock.now();
    const [all, freshness] = await Promise.all([status.services(now, context), judge.of('check', EVERY_SOURCE, context)]);
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

  constructor(private readonly parts: Parts<'status' | 'freshness' | 'clock', 'services'>) {}

  async execute({ key }: ServiceInput, context: ReadContext): Promise<ComposedAnswer<ServiceDetail>> {
    const { readers, status, freshness: judge, clock } = this.parts;
    const service = await readers.services.byKey(key, context);
    if (service === null) throw new NotFoundError();
    // All figures are calculated for the same moment.
    const now = clock.now();
    const [data, freshness] = await Promise.all([status.detailOf(service, now, context), judge.of('check', { serviceKey: key }, context)]);
    return { data, ...alsoChangingAt(freshness, [serviceChangesAt(data, now)]), generatedAt: now };
  }
}

export interface ListServiceChecksInput extends ServiceInput, TimeListInput {}

/** The stored checks of one service, newest first. */
export class ListServiceChecks {
  readonly takes = withoutPermission<ListServiceChecksInput>({ ...timeList, ...byKey });

  constructor(private readonly parts: Parts<'freshness' | 'clock', 'services' | 'checks'>) {}

  async execute(given: ServiceInput & Partial<TimeListInput>, context: ReadContext): Promise<ComposedAnswer<Page<Check, TimePosition>>> {
    const { readers, freshness: judge, clock } = this.parts;
    const input = { ...NEWEST_PAGE, ...given };
    const now = clock.now();
    const [service, data, freshness] = await Promise.all([
      readers.services.byKey(input.key, context),
      started(() => readers.checks.list(input.key, rangeOf(input, now + CHECK_CLOCK_TOLERANCE_MS), context)),
      judge.of('check', { serviceKey: input.key }, context),
    ]);
    if (service === null) throw new NotFoundError();
    const items = data.items.map((check) => withServiceAddress(check, service));
    return { data: { ...data, items }, ...freshness, generatedAt: now };
  }
}
