import type { ServiceConfig } from '@vitrine/config';
import { HOUR, sameValue, type Instant, type RecordIdentity, type Service } from '@vitrine/core';
import { z } from 'zod';
import { parseState, configurationSync } from '../running/registered-source.js';
import type { RunReport, Source, SourceContext } from '../running/source.js';
import { measuredProvenance } from './probe.js';

const ID = 'services of the configuration';

/** What was stored for each service, by key, and since when it says so: storing the same again changes nothing. */
const stateSchema = z.record(
  z.string(),
  z.object({
    name: z.string(),
    healthUrl: z.string(),
    since: z.number(),
    dependency: z.boolean().default(false),
    group: z.string().nullable().default(null),
    order: z.number().nullable().default(null),
  }),
);
type ServiceState = z.output<typeof stateSchema>[string];

/** Stores the services of the configuration, and removes those that have left it. Their checks stay. */
export class ServicesSource implements Source {
  readonly id = ID;
  readonly intervalMs = HOUR;
  readonly #services: readonly ServiceConfig[];
  readonly #healthUrl: (service: ServiceConfig) => string;

  constructor(services: readonly ServiceConfig[], healthUrl: (service: ServiceConfig) => string) {
    this.#services = services;
    this.#healthUrl = healthUrl;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const { writer, collection, clock } = context;
    const now = clock.now();
    const before = parseState(stateSchema, (await collection.sync(ID, context))?.state) ?? {};
    const after = Object.fromEntries(
      this.#services.map((service, index) => [
        service.key,
        this.#stateOf({ ...service, order: service.order ?? index + 1 }, before[service.key], now),
      ]),
    );
    const gone: readonly RecordIdentity[] = Object.keys(before)
      .filter((key) => !Object.hasOwn(after, key))
      .map((key) => ({ kind: 'service', key }));
    const removed = gone.length === 0 ? 0 : await writer.remove(gone, context);
    const records = Object.entries(after).map(([key, state]) => recordOf(key, state));
    const { stored, unchanged } = await writer.put(records, context);
    const state = JSON.stringify(after);
    await writer.put([configurationSync(ID, now, HOUR, state)], context);
    return { stored, unchanged, removed, warnings: [] };
  }

  #stateOf(service: ServiceConfig, before: ServiceState | undefined, now: Instant): ServiceState {
    const { name, group, order } = service;
    const state = { name, healthUrl: this.#healthUrl(service), dependency: 'dependency' in service && service.dependency, group, order };
    return before !== undefined && sameValue({ ...state, since: before.since }, before) ? before : { ...state, since: now };
  }
}

function recordOf(key: string, { name, healthUrl, since, dependency, group, order }: ServiceState): Service {
  const provenance = measuredProvenance(healthUrl, since, !dependency);
  const place = { ...(group !== null && { group }), ...(order !== null && { order }) };
  return { kind: 'service', key, displayName: name, healthUrl, ...(dependency && { dependency }), ...place, firstSeenAt: since, provenance };
}
