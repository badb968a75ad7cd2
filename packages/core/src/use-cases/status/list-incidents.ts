import { LATEST_INSTANT } from '../../domain/shared/instant.js';
import type { Page, TimePosition } from '../../domain/shared/page.js';
import type { Incident } from '../../domain/status/incident.js';
import { EVERY_SOURCE } from '../../policies/freshness.js';
import type { Clock } from '../../ports/clock.js';
import type { IncidentReader } from '../../ports/incident-reader.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { ComposedAnswer } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/freshness-judge.js';
import { rangeOf, type TimeListInput } from '../shared/scoped-records.js';
import { latestVisible } from '../shared/visibility.js';

/** `null` means any. */
export interface ListIncidentsInput extends TimeListInput {
  readonly state: string | null;
  /** A service key. */
  readonly service: string | null;
  /** The id of a detected incident: only incidents that cover it. */
  readonly covers: string | null;
}

/** Incidents and planned maintenance, newest first. */
export class ListIncidents {
  readonly #incidents: IncidentReader;
  readonly #freshness: FreshnessJudge;
  readonly #clock: Clock;

  constructor(incidents: IncidentReader, freshness: FreshnessJudge, clock: Clock) {
    this.#incidents = incidents;
    this.#freshness = freshness;
    this.#clock = clock;
  }

  async execute(input: ListIncidentsInput, context: ReadContext): Promise<ComposedAnswer<Page<Incident, TimePosition>>> {
    const now = this.#clock.now();
    const { state, service, covers } = input;
    const query = { ...rangeOf(input, LATEST_INSTANT), state, service, covers, notAfter: latestVisible(now) };
    const [data, freshness] = await Promise.all([
      this.#incidents.list(query, context),
      this.#freshness.of('incident', service === null ? EVERY_SOURCE : { serviceKey: service }, context),
    ]);
    return { data, ...freshness, generatedAt: now };
  }
}
