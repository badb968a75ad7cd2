import { CHECK_CLOCK_TOLERANCE_MS, type Check } from '../../kinds/check.js';
import { NotFoundError } from '../../kinds/domain-error.js';
import type { Page, TimePosition } from '../../kinds/page.js';
import type { CheckReader } from '../../ports/check-reader.js';
import type { ReadContext, ServiceReader } from '../../ports/readers.js';
import type { Clock } from '../../ports/runtime.js';
import { withServiceAddress } from '../../rules/publishable-record.js';
import { started, type ComposedAnswer, type FreshnessJudge } from '../shared/answer.js';
import { NEWEST_PAGE, type TimeListInput, rangeOf } from '../shared/records.js';
import type { ServiceInput } from './get-status.js';

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
