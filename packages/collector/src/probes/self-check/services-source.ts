import type { ServiceConfig } from '@vitrine/config';
import {
  HOUR,
  sameValue,
  type Instant,
  type RecordIdentity,
  type Service,
  MAX_RESPONSE_TIME_MS,
  NO_REPOSITORY,
  SECOND,
  validityOf,
  type Check,
} from '@vitrine/core';
import { measuredProvenance, type ProbeOutcome } from '../probe-outcome.js';
import { z } from 'zod';
import type { RunReport, Source, SourceContext } from '../../running/source.js';
import { configurationSync, completedSync, type Registration } from '../../running/sync-records.js';
import { OutgoingError } from '../../fetching/outgoing-response.js';
import type { OutgoingClient } from '../../fetching/outgoing-client.js';
import { failedBy } from '../http-probe.js';
import { StateChanges } from '../probe-source.js';

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
    const before = parseState((await collection.sync(ID, context))?.state ?? null);
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

function parseState(text: string | null): Readonly<Record<string, ServiceState>> {
  try {
    return stateSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return {};
  }
}

export interface SelfCheckOptions {
  readonly serviceKey: string;
  readonly intervalMs: number;
  /** The public address of the health page, for the records. */
  readonly healthUrl: () => string;
  /** The address that is asked. */
  readonly target: () => string;
  readonly client: Pick<OutgoingClient, 'request'>;
}

const TIME_OUT = 5 * SECOND;

/** Asks this server for its own health over HTTP and stores the answer. A process that is gone stores nothing: the coverage then shows the gap. */
export class SelfCheckSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly registration: Registration;
  readonly #options: SelfCheckOptions;
  readonly #changes = new StateChanges();

  constructor(options: SelfCheckOptions) {
    this.id = `self-check ${options.serviceKey}`;
    this.intervalMs = options.intervalMs;
    const { serviceKey } = options;
    this.registration = { id: `probe:${serviceKey}`, sourceType: 'probe', label: serviceKey, repositoryRef: NO_REPOSITORY, feeds: ['check'] };
    this.#options = options;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const checkedAt = context.clock.now();
    const startedAt = performance.now();
    const rawState = await this.#ask(context.signal);
    const check = this.#check(rawState, checkedAt, Math.round(performance.now() - startedAt));
    const before = await context.collection.sync(this.registration.id, context);
    const sync = completedSync(this.registration, this.intervalMs, before, { at: checkedAt, state: null });
    const { refused } = await context.writer.put([check, sync], context);
    const warnings = refused.map(({ reason }) => `the store refused the check: ${reason}`);
    return { stored: 1 - refused.length, unchanged: 0, removed: 0, warnings, notices: this.#changes.noticesOf([check]) };
  }

  async #ask(signal: AbortSignal): Promise<ProbeOutcome['rawState']> {
    const { client, serviceKey, target } = this.#options;
    try {
      const { status } = await client.request({ url: target(), allowPrivate: true, redirects: 'none', timeoutMs: TIME_OUT, inTurn: false, signal });
      return `http ${status}`;
    } catch (error) {
      if (error instanceof OutgoingError) return failedBy(error, serviceKey).rawState;
      throw error;
    }
  }

  #check(rawState: ProbeOutcome['rawState'], checkedAt: number, elapsed: number): Check {
    const isUp = rawState === 'http 200';
    return {
      kind: 'check',
      serviceKey: this.#options.serviceKey,
      state: isUp ? 'operational' : 'outage',
      rawState,
      checkedAt,
      responseTimeMs: isUp ? Math.min(elapsed, MAX_RESPONSE_TIME_MS) : null,
      validForMs: validityOf(this.intervalMs),
      provenance: measuredProvenance(this.#options.healthUrl(), checkedAt),
    };
  }
}
