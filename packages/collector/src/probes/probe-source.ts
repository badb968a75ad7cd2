import { setTimeout as sleep } from 'node:timers/promises';
import type { ReachedServiceConfig } from '@vitrine/config';
import { NO_REPOSITORY, SECOND, validityOf, type Check, type Instant } from '@vitrine/core';
import { measuredProvenance } from './measured-provenance.js';
import type { RunReport, Source, SourceContext } from '../source.js';
import { completedSync, type Registration } from '../sync-records.js';
import type { Canary } from './canary.js';
import type { Probe, ProbeOutcome } from './probe-outcome.js';
import { ProbeSlots } from './probe-slots.js';

export interface ProbeSourceOptions {
  readonly service: Pick<ReachedServiceConfig, 'key' | 'intervalMs' | 'confirmAfter' | 'dependency'>;
  readonly probe: Probe;
  readonly canary: Canary | null;
  /** The public address of what is checked, for the records. */
  readonly publicAddress: () => string;
  /** The pause before each further attempt, in milliseconds. By default all of them begin within 5 s if each fails at once. */
  readonly pauseMs?: number;
  /** Default: the slots of the service's key. */
  readonly slots?: ProbeSlots;
}

/** A failed service is tried again within this time. */
const TRIED_AGAIN_WITHIN_MS = 5 * SECOND;

/** What is stored of a check beside the service. */
type Observation = Pick<Check, 'state' | 'rawState' | 'responseTimeMs' | 'checkedAt'>;

/**
 * Checks a service and stores what it finds. The first failure is stored at once as `unknown`, and as an outage at the same time when further attempts have failed too. When the
 * canary fails as well, nothing is known about the service.
 */
export class ProbeSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly registration: Registration;
  readonly nextRunAt: (now: Instant) => Instant;
  readonly #options: ProbeSourceOptions;
  /** Whether the last check of this process found an outage. */
  #isOut = false;

  constructor(options: ProbeSourceOptions) {
    const { key, intervalMs } = options.service;
    this.id = `probe ${key}`;
    this.intervalMs = intervalMs;
    this.registration = { id: `probe:${key}`, sourceType: 'probe', label: key, repositoryRef: NO_REPOSITORY, feeds: ['check'] };
    const { slots = new ProbeSlots(key, intervalMs) } = options;
    this.nextRunAt = (now) => slots.next(now);
    this.#options = options;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const at = context.clock.now();
    const outcome = await this.#options.probe(context.signal);
    // An attempt that a stop cut off says nothing about the service.
    context.signal.throwIfAborted();
    const observed = outcome.state === 'outage' ? await this.#confirm({ ...outcome, checkedAt: at }, context) : { ...outcome, checkedAt: at };
    this.#isOut = observed.state === 'outage';
    const before = await context.collection.sync(this.registration.id, context);
    const sync = completedSync(this.registration, this.intervalMs, before, { at, state: null });
    const { refused } = await context.writer.put([this.#checkOf(observed), sync], context);
    return { stored: 1 - refused.length, unchanged: 0, removed: 0, warnings: refused.map(({ reason }) => `the store refused the check: ${reason}`) };
  }

  /** What to store after a failure: the outage, a success of a later attempt, or that nothing is known. */
  async #confirm(failure: ProbeOutcome & { readonly checkedAt: Instant }, context: SourceContext): Promise<Observation> {
    const { service, probe, canary } = this.#options;
    const { confirmAfter } = service;
    const { pauseMs = TRIED_AGAIN_WITHIN_MS / (confirmAfter + 1) } = this.#options;
    const unconfirmed: Observation = { state: 'unknown', rawState: 'unconfirmed', responseTimeMs: null, checkedAt: failure.checkedAt };
    // During an outage the earlier check still counts. Otherwise the service would be unknown for some seconds of each interval.
    if (confirmAfter > 0 && !this.#isOut) await context.writer.put([this.#checkOf(unconfirmed)], context);
    for (let attempt = 1; attempt <= confirmAfter; attempt++) {
      await sleep(pauseMs, undefined, { signal: context.signal });
      const checkedAt = context.clock.now();
      const outcome = await probe(context.signal);
      context.signal.throwIfAborted();
      if (outcome.state !== 'outage') return { ...outcome, checkedAt };
    }
    if (canary === null || (await canary.isOnline(context.signal))) return failure;
    // At its own time, because a stored check with the same time may be kept instead.
    return { state: 'unknown', rawState: 'prober offline', responseTimeMs: null, checkedAt: context.clock.now() };
  }

  #checkOf({ state, rawState, responseTimeMs, checkedAt }: Observation): Check {
    const { service, publicAddress } = this.#options;
    return {
      kind: 'check',
      serviceKey: service.key,
      state,
      rawState,
      checkedAt,
      responseTimeMs,
      validForMs: validityOf(this.intervalMs),
      provenance: measuredProvenance(publicAddress(), checkedAt, !service.dependency),
    };
  }
}
