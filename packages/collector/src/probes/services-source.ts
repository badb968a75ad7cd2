import type { ServiceConfig } from '@vitrine/config';
import { DAY, HOUR, type Instant, type Service } from '@vitrine/core';
import { z } from 'zod';
import { parseState, configurationSync } from '../running/registered-source.js';
import type { RunReport, Source, SourceContext } from '../running/source.js';
import { dividedClaims, hashOfPath } from '../running/source-registry.js';
import { measuredProvenance } from './probe.js';

const ID = 'services of the configuration';

const keysSchema = z.array(z.string());
/** The keys of the services that each configuration of the store has, and when it said so last. By the hash of its path. */
const claimsSchema = z.record(z.string(), z.object({ keys: keysSchema, at: z.number() }));
type Claims = z.output<typeof claimsSchema>;

/** A configuration that was not collected for this long counts as gone: its file may have been renamed, and then its services may leave. */
const GONE_AFTER_MS = 2 * DAY;

/** Stores the services of the configuration, and removes those that have left it and that no other configuration of the store has. Their checks stay. */
export class ServicesSource implements Source {
  readonly id = ID;
  readonly intervalMs = HOUR;
  readonly #services: readonly ServiceConfig[];
  readonly #healthUrl: (service: ServiceConfig) => string;
  readonly #owner: string;

  constructor(services: readonly ServiceConfig[], healthUrl: (service: ServiceConfig) => string, file: string) {
    [this.#services, this.#healthUrl, this.#owner] = [services, healthUrl, hashOfPath(file)];
  }

  async run(context: SourceContext): Promise<RunReport> {
    const { writer, collection, clock } = context;
    const now = clock.now();
    const keys = this.#services.map(({ key }) => key);
    const state = (await collection.sync(ID, context))?.state;
    const { ended, living } = dividedClaims(parseState(claimsSchema, state) ?? {}, this.#owner, now - GONE_AFTER_MS);
    // Earlier versions stored the keys of one configuration.
    const known = parseState(keysSchema, state) ?? ended.flatMap((claim) => claim.keys);
    const present = new Set([...keys, ...Object.values(living).flatMap((claim) => claim.keys)]);
    const gone = known.filter((key) => !present.has(key)).map((key) => ({ kind: 'service', key }) as const);
    const removed = gone.length === 0 ? 0 : await writer.remove(gone, context);
    const records = this.#services.map((service, index) => this.#recordOf(service, index + 1, now));
    // The store keeps the times of a service that it has already.
    const { stored, unchanged } = await writer.put(records, { ...context, filledAt: now });
    const claims: Claims = { ...living, [this.#owner]: { keys, at: now } };
    await writer.put([configurationSync(ID, now, HOUR, JSON.stringify(claims))], context);
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
