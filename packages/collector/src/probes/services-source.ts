import type { ServiceConfig } from '@vitrine/config';
import { HOUR, type Instant, type Service } from '@vitrine/core';
import { z } from 'zod';
import { parseState, configurationSync } from '../running/registered-source.js';
import type { RunReport, Source, SourceContext } from '../running/source.js';
import { measuredProvenance } from './probe.js';

const ID = 'services of the configuration';

/** The keys of the stored services. Earlier versions stored an object for each key. */
const stateSchema = z.union([z.array(z.string()), z.record(z.string(), z.unknown()).transform(Object.keys)]);

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
    const keys = this.#services.map(({ key }) => key);
    const before = parseState(stateSchema, (await collection.sync(ID, context))?.state) ?? [];
    const gone = before.filter((key) => !keys.includes(key)).map((key) => ({ kind: 'service', key }) as const);
    const removed = gone.length === 0 ? 0 : await writer.remove(gone, context);
    const records = this.#services.map((service, index) => this.#recordOf(service, index + 1, now));
    // The store keeps the times of a service that it has already.
    const { stored, unchanged } = await writer.put(records, { ...context, filledAt: now });
    await writer.put([configurationSync(ID, now, HOUR, JSON.stringify(keys))], context);
    return { stored, unchanged, removed, warnings: [] };
  }

  #recordOf(service: ServiceConfig, place: number, now: Instant): Service {
    const { key, name, group, order } = service;
    const healthUrl = this.#healthUrl(service);
    const dependency = 'dependency' in service && service.dependency;
    const shown = { ...(dependency && { dependency }), ...(group !== null && { group }), order: order ?? place };
    const provenance = measuredProvenance(healthUrl, now, !dependency);
    return { kind: 'service', key, displayName: name, healthUrl, ...shown, firstSeenAt: now, provenance };
  }
}
