import { NotFoundError } from '../../kinds/domain-error.js';
import { type IdPosition, type Page, compareText, pageOf } from '../../kinds/page.js';
import type { ServiceDetail, ServiceStatus, StatusOverview } from '../../kinds/service-status.js';
import { type FilterValue, type ReadContext, type ServiceReader, acceptedValues } from '../../ports/readers.js';
import type { Clock } from '../../ports/runtime.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { serviceChangesAt, statusChangesAt } from '../../rules/service-status.js';
import { alsoChangingAt, withoutParts, type ComposedAnswer, type FreshnessJudge } from '../shared/answer.js';
import { FIRST_PAGE } from '../shared/records.js';
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

export interface ListServicesInput {
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
