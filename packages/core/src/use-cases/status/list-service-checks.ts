import { NotFoundError } from '../../domain/shared/domain-error.js';
import type { Page, TimePosition } from '../../domain/shared/page.js';
import { CHECK_CLOCK_TOLERANCE_MS, type Check } from '../../domain/status/check.js';
import { withServiceAddress } from '../../policies/service-address.js';
import type { CheckReader } from '../../ports/check-reader.js';
import type { Clock } from '../../ports/clock.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { ServiceReader } from '../../ports/service-reader.js';
import type { ComposedAnswer } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/freshness-judge.js';
import { rangeOf, type TimeListInput } from '../shared/scoped-records.js';
import { started } from '../shared/started.js';
import type { ServiceInput } from './get-service.js';

export interface ListServiceChecksInput extends ServiceInput, TimeListInput {}

/** The stored checks of one service, newest first. */
export class ListServiceChecks {
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

  async execute(input: ListServiceChecksInput, context: ReadContext): Promise<ComposedAnswer<Page<Check, TimePosition>>> {
    const now = this.#clock.now();
    const [service, data, freshness] = await Promise.all([
      this.#services.byKey(input.key, context),
      started(() => this.#checks.list(input.key, rangeOf(input, now + CHECK_CLOCK_TOLERANCE_MS), context)),
      this.#freshness.of('check', { serviceKey: input.key }, context),
    ]);
    if (service === null) throw new NotFoundError();
    const items = data.items.map((check) => withServiceAddress(check, service));
    return { data: { ...data, items }, ...freshness, generatedAt: now };
  }
}
