import { SourceError, type RunReport, type SourceContext } from '../running/source.js';
import { type Check, type ServiceState, holdsEmail, NO_REPOSITORY, SECOND, UNCONFIRMED, validityOf, type Instant } from '@vitrine/core';
import type { ReachedServiceConfig } from '@vitrine/config';
import { setTimeout as sleep } from 'node:timers/promises';
import { measuredCheck, type Observed, type Probe, type Canary, probeSlots } from './probe.js';
import { RegisteredSource } from '../running/registered-source.js';

/** Notices each change of the state of a service, one line for each. The first state that a process sees is no change. */
export class StateChanges {
  readonly #states = new Map<string, ServiceState>();

  noticesOf(checks: readonly Check[]): readonly string[] {
    const newest = new Map(checks.map((check) => [check.serviceKey, check]));
    return [...newest.values()].flatMap(({ serviceKey, state, rawState }) => {
      const before = this.#states.get(serviceKey);
      this.#states.set(serviceKey, state);
      return before === undefined || before === state ? [] : `${serviceKey} was ${before} and is ${state} (${rawState})`;
    });
  }
}

/** The address of a service that may be published, without its query, which may hold tokens. @param page its page in Vitrine, for services without one */
export function publishedAddress({ url, allowPrivate, check, target }: ReachedServiceConfig, page: string): string {
  if (url === false) return page;
  if (url !== null) return url;
  if (allowPrivate || check !== 'http') return page;
  const { origin, pathname } = new URL(target);
  return holdsEmail(pathname) ? page : origin + pathname;
}

export function serviceAddress(base: string, key: string): string {
  return `${base}/status/services/${encodeURIComponent(key)}`;
}

const SAMPLED_EVERY_MS = 50;

/** Measures how long the event loop of this process does not run. The result ends that, and returns the longest time in milliseconds. It may be called again. */
export function eventLoopLag(): () => number {
  let last = performance.now();
  let longest = 0;
  const sample = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last - SAMPLED_EVERY_MS);
    last = now;
  };
  const timer = setInterval(sample, SAMPLED_EVERY_MS);
  let isRunning = true;
  return () => {
    if (isRunning) sample();
    isRunning = false;
    clearInterval(timer);
    return longest;
  };
}

export interface ProbeSourceOptions {
  readonly service: Pick<ReachedServiceConfig, 'key' | 'intervalMs' | 'confirmAfter' | 'dependency'>;
  readonly name?: string;
  readonly probe: Probe;
  readonly canary: Canary | null;
  readonly publicAddress: () => string;
  /** The pause before each further attempt, in milliseconds. By default all of them begin within 5 s if each fails at once. */
  readonly pauseMs?: number;
  readonly measureLag?: () => () => number;
}

const TRIED_AGAIN_WITHIN_MS = 5 * SECOND;
/** If this many of the last scheduled attempts failed, the next failure needs no confirmation. */
const FLAPPING = { failures: 3, attempts: 10 } as const;
/** If the event loop did not run for this long, time-outs and response times say nothing about the service. */
const LATE_MS = 250;
const MAX_LATE_ATTEMPTS = 3;

/**
 * Checks a service and stores the result. The first failure is stored at once as `unknown`. At the same time, it becomes an outage when further attempts have failed too, and
 * degraded when one of them succeeds. When the canary fails as well, nothing is known about the service.
 */
export class ProbeSource extends RegisteredSource {
  readonly nextRunAt: (now: Instant) => Instant;
  readonly #options: ProbeSourceOptions;
  /** Whether each of the last scheduled attempts failed, without those of an offline prober. It is not stored: after a restart, failures are confirmed again. */
  #scheduled: readonly boolean[] = [];
  readonly #changes = new StateChanges();

  constructor(options: ProbeSourceOptions) {
    const { key, intervalMs } = options.service;
    const { name = `probe ${key}` } = options;
    super(name, intervalMs, { id: `probe:${key}`, sourceType: 'probe', label: key, repositoryRef: NO_REPOSITORY, feeds: ['check'] });
    this.nextRunAt = probeSlots(key, intervalMs);
    this.#options = options;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const first = await this.#attempt(context);
    const hasFailed = first.state === 'outage';
    const { observed, problem } = hasFailed ? await this.#afterFailure(first, context) : { observed: [first], problem: null };
    const isKnown = observed.some(({ state }) => state !== 'unknown');
    if (isKnown) this.#scheduled = [...this.#scheduled, hasFailed].slice(-FLAPPING.attempts);
    const sync = this.completed(await this.syncIn(context), { at: first.checkedAt, state: null });
    const checks = observed.map((one) => this.#checkOf(one));
    const { refused } = await context.writer.put([...checks, sync], context);
    const warnings = [...refused.map(({ reason }) => `the store refused the check: ${reason}`), ...(problem === null ? [] : [problem])];
    return { stored: observed.length - refused.length, unchanged: 0, removed: 0, warnings, notices: this.#changes.noticesOf(checks) };
  }

  /** One attempt of the probe. If this process was too busy meanwhile, the result is dropped and the probe asked again. */
  async #attempt({ clock, signal }: SourceContext): Promise<Observed> {
    const { service, probe, measureLag = eventLoopLag } = this.#options;
    for (let attempt = 0; attempt < MAX_LATE_ATTEMPTS; attempt++) {
      const checkedAt = clock.now();
      const longestLag = measureLag();
      const outcome = await probe(signal).finally(() => longestLag());
      // An attempt that a stop cut off says nothing about the service.
      signal.throwIfAborted();
      if (longestLag() < LATE_MS) return { ...outcome, checkedAt };
    }
    throw new SourceError(
      `${service.key} was not checked, because this process was too busy to measure it. Give it more processor time`,
      'PROCESS_BUSY',
    );
  }

  /** The outage; the failure as degraded and the success of a later attempt; or that nothing is known. */
  async #afterFailure(failure: Observed, context: SourceContext) {
    const later = await this.#laterSuccess(failure, context);
    if (later !== null) return { observed: [{ ...failure, state: 'degraded', rawState: 'recovered' } as const, later], problem: null };
    const { canary } = this.#options;
    const { isOnline, problem } = canary === null ? { isOnline: true, problem: null } : await canary(context.signal);
    if (isOnline) return { observed: [failure], problem };
    // At its own time, because a stored check with the same time may be kept instead.
    const unknown: Observed = { state: 'unknown', rawState: 'prober offline', responseTimeMs: null, checkedAt: context.clock.now() };
    return { observed: [unknown], problem };
  }

  /** Stores the failure as not confirmed, and tries again; `null` if no attempt succeeds, or none is needed. */
  async #laterSuccess(failure: Observed, context: SourceContext): Promise<Observed | null> {
    const isFlapping = this.#scheduled.filter(Boolean).length >= FLAPPING.failures;
    const attempts = isFlapping ? 0 : this.#options.service.confirmAfter;
    if (attempts === 0) return null;
    const { pauseMs = TRIED_AGAIN_WITHIN_MS / (attempts + 1) } = this.#options;
    await context.writer.put([this.#checkOf({ ...failure, state: 'unknown', rawState: UNCONFIRMED })], context);
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await sleep(pauseMs, undefined, { signal: context.signal });
      const later = await this.#attempt(context);
      if (later.state !== 'outage') return later;
    }
    return null;
  }

  #checkOf(observed: Observed): Check {
    const { service, publicAddress } = this.#options;
    return measuredCheck({ serviceKey: service.key, validForMs: validityOf(this.intervalMs) }, observed, publicAddress(), !service.dependency);
  }
}
