import { HOUR, NO_REPOSITORY, type RecordIdentity, type Service } from '@vitrine/core';
import { z } from 'zod';
import type { ServiceConfig } from '../config/config.js';
import type { RunReport, Source, SourceContext } from '../source.js';

const ID = 'services of the configuration';

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
    const keys = this.#services.map((service) => service.key);
    const before = keysOf((await collection.sync(ID, context))?.state ?? null);
    const gone: readonly RecordIdentity[] = before.filter((key) => !keys.includes(key)).map((key) => ({ kind: 'service', key }));
    const removed = gone.length === 0 ? 0 : await writer.remove(gone, context);
    const { stored, unchanged } = await writer.put(
      this.#services.map((service) => this.#record(service, now)),
      context,
    );
    await writer.put(
      [{ kind: 'sync', id: ID, repositoryRef: NO_REPOSITORY, feeds: [], lastSuccessAt: now, intervalMs: HOUR, state: JSON.stringify(keys) }],
      context,
    );
    return { stored, unchanged, removed, warnings: [] };
  }

  #record(service: ServiceConfig, now: number): Service {
    const healthUrl = this.#healthUrl(service);
    return {
      kind: 'service',
      key: service.key,
      displayName: service.name,
      healthUrl,
      firstSeenAt: now,
      provenance: {
        source: 'vitrine',
        sourceKind: 'confirmed-from-source',
        sourceUrl: healthUrl,
        observedAt: now,
        confidence: 'high',
        isOfficialSource: true,
      },
    };
  }
}

function keysOf(state: string | null): readonly string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(state ?? ''));
  } catch {
    return [];
  }
}
