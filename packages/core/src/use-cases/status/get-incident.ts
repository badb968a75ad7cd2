import { NotFoundError } from '../../domain/shared/domain-error.js';
import type { Incident } from '../../domain/status/incident.js';
import { EVERY_SOURCE } from '../../policies/freshness.js';
import type { Clock } from '../../ports/clock.js';
import type { IncidentReader } from '../../ports/incident-reader.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { ComposedAnswer } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/freshness-judge.js';
import type { IdInput } from '../shared/scoped-records.js';
import { isVisible } from '../shared/visibility.js';

/** One incident by its public id. */
export class GetIncident {
  readonly #incidents: IncidentReader;
  readonly #freshness: FreshnessJudge;
  readonly #clock: Clock;

  constructor(incidents: IncidentReader, freshness: FreshnessJudge, clock: Clock) {
    this.#incidents = incidents;
    this.#freshness = freshness;
    this.#clock = clock;
  }

  async execute({ id }: IdInput, context: ReadContext): Promise<ComposedAnswer<Incident>> {
    const now = this.#clock.now();
    const [data, freshness] = await Promise.all([this.#incidents.byId(id, context), this.#freshness.of('incident', EVERY_SOURCE, context)]);
    if (data === null || !isVisible(data, now)) throw new NotFoundError();
    return { data, ...freshness, generatedAt: now };
  }
}
