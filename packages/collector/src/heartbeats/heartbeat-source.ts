import { timingSafeEqual } from 'node:crypto';
import type { Environment, HeartbeatServiceConfig } from '@vitrine/config';
import { MINUTE, NO_REPOSITORY, type Check, type Clock, type Instant, type Sync } from '@vitrine/core';
import { measuredProvenance } from '../probes/measured-provenance.js';
import { ProbeError } from '../probes/probe-outcome.js';
import type { Receiver, RunReport, Source, SourceContext } from '../source.js';
import { completedSync, type Registration } from '../sync-records.js';
import { hashOfToken, heartbeatTokenProblem, tokenOf } from './heartbeat-token.js';

/** Where heartbeats arrive. */
export interface HeartbeatReceiver extends Receiver {
  /** The time since which heartbeats can be received, on the monotonic clock. Rejects with a {@link ProbeError} if they cannot. */
  listeningSince(): Promise<number>;
  /** Whether another service has the same token. Then no heartbeat can say which of them it is about. */
  isShared(source: HeartbeatSource): boolean;
}

export interface HeartbeatSourceOptions {
  readonly service: Pick<HeartbeatServiceConfig, 'key' | 'intervalMs' | 'graceMs' | 'tokenVariable'>;
  /** Has the variable with the token. */
  readonly environment: Environment;
  /** The public address of the service, for the records. */
  readonly publicAddress: () => string;
  /** Where its heartbeats arrive. */
  readonly receiver: HeartbeatReceiver;
}

/** What a heartbeat says: that all is well, or that the job has failed. */
export type HeartbeatWord = 'ok' | 'reported';

/** What is stored of a heartbeat, or of one that did not come. The words are a closed set. */
interface Observation {
  readonly rawState: HeartbeatWord | 'missed';
  readonly checkedAt: Instant;
}

/**
 * Stores the heartbeats of a service, and an outage once for each interval without one. Each check is valid for the interval and the grace. A run stores what has
 * arrived since the last one.
 *
 * How long a heartbeat is overdue is measured on a clock that nobody can set, and only while heartbeats can be received. So neither a clock that is set nor a
 * pause of this process makes a heartbeat look missed.
 */
export class HeartbeatSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly registration: Registration;
  readonly receiver: HeartbeatReceiver;
  readonly #options: HeartbeatSourceOptions;
  readonly #validForMs: number;
  /** `null`: the service has no usable token. */
  readonly #hash: Buffer | null;
  /** Heartbeats that are not stored yet: the time of the last one of each word. */
  readonly #arrived = new Map<HeartbeatWord, Instant>();
  #clock: Clock | null = null;
  /** When a heartbeat of this process is due, on the monotonic clock. */
  #dueAt = 0;
  /** When heartbeats could be received, on the monotonic clock; `null`: they cannot. */
  #since: number | null = null;

  constructor(options: HeartbeatSourceOptions) {
    const { key, intervalMs, graceMs } = options.service;
    this.id = `heartbeat ${key}`;
    this.intervalMs = Math.min(intervalMs, MINUTE);
    this.registration = { id: `heartbeat:${key}`, sourceType: 'heartbeat', label: key, repositoryRef: NO_REPOSITORY, feeds: ['check'] };
    this.receiver = options.receiver;
    this.#options = options;
    this.#validForMs = intervalMs + graceMs;
    this.#hash = usableHash(options);
  }

  /** Whether this is the hash of the token of the service. Takes as long for each hash. */
  hasToken(hash: Buffer): boolean {
    return this.#hash !== null && timingSafeEqual(this.#hash, hash);
  }

  /** Whether another source has the same token. */
  sharesToken(other: HeartbeatSource): boolean {
    return this !== other && this.#hash !== null && other.hasToken(this.#hash);
  }

  /** A heartbeat has arrived. The next run stores it. */
  receive(word: HeartbeatWord, clock: Clock): void {
    this.#arrived.set(word, clock.now());
    this.#dueAt = elapsed(clock) + this.#validForMs;
  }

  readonly nextRunAt = (now: Instant): Instant => {
    const untilDue = this.#since === null || this.#clock === null ? this.intervalMs : this.#due(this.#since) - elapsed(this.#clock);
    return now + Math.min(this.intervalMs, Math.max(0, untilDue));
  };

  async run(context: SourceContext): Promise<RunReport> {
    const { collection, writer, clock } = context;
    [this.#clock, this.#since] = [clock, null];
    this.#since = await this.#requireReceiver();
    const at = clock.now();
    const arrived = [...this.#arrived];
    const isMissed = arrived.length === 0 && elapsed(clock) >= this.#due(this.#since);
    const observed: readonly Observation[] = isMissed
      ? [{ rawState: 'missed', checkedAt: at }]
      : arrived.map(([rawState, checkedAt]) => ({ rawState, checkedAt }));
    const before = await collection.sync(this.registration.id, context);
    const newest = newestOf(before);
    const checks = observed.flatMap((one) => this.#checksOf(one, newest));
    const state = String(Math.max(newest, ...checks.map(({ checkedAt }) => checkedAt)));
    const sync = completedSync(this.registration, this.intervalMs, before, { at, state });
    const { refused } = await writer.put([...checks, sync], context);
    for (const [word, time] of arrived) if (this.#arrived.get(word) === time) this.#arrived.delete(word);
    if (isMissed) this.#dueAt = Math.max(this.#dueAt, elapsed(clock) + this.#options.service.intervalMs);
    const warnings = refused.map(({ reason }) => `the store refused a heartbeat: ${reason}`);
    return { stored: checks.length - refused.length, unchanged: 0, removed: 0, warnings };
  }

  #due(since: number): number {
    return Math.max(this.#dueAt, since + this.#validForMs);
  }

  /** Resolves with the time since which heartbeats can be received. Rejects if this service cannot be heard. */
  async #requireReceiver(): Promise<number> {
    const { service, environment } = this.#options;
    tokenOf(service, environment);
    const since = await this.receiver.listeningSince();
    if (!this.receiver.isShared(this)) return since;
    throw new ProbeError(
      `${service.key} has the token of another service. Set the environment variable ${service.tokenVariable} to a token of its own.`,
      'SAME_TOKEN',
    );
  }

  /** @param newest the time of the newest check. If the clock was set back, it is in the future: then it would hide an outage as soon as it counts, so the outage replaces it. */
  #checksOf(observation: Observation, newest: Instant): readonly Check[] {
    const isOutage = observation.rawState !== 'ok';
    const check = this.#checkOf(observation);
    return isOutage && newest > observation.checkedAt ? [check, this.#checkOf({ ...observation, checkedAt: newest })] : [check];
  }

  #checkOf({ rawState, checkedAt }: Observation): Check {
    const { service, publicAddress } = this.#options;
    return {
      kind: 'check',
      serviceKey: service.key,
      state: rawState === 'ok' ? 'operational' : 'outage',
      rawState,
      checkedAt,
      responseTimeMs: null,
      validForMs: this.#validForMs,
      provenance: measuredProvenance(publicAddress(), checkedAt),
    };
  }
}

/** `null` without a usable token. Each run says why. */
function usableHash({ service, environment }: HeartbeatSourceOptions): Buffer | null {
  return heartbeatTokenProblem(service, environment) === null ? hashOfToken(tokenOf(service, environment)) : null;
}

/** The time of the newest stored check, which the sync record keeps; 0 before the first. */
function newestOf(before: Sync | null): Instant {
  const state = before?.state ?? '';
  return /^\d{1,16}$/.test(state) ? Number(state) : 0;
}

/** Milliseconds of a monotonic clock. */
export function elapsed(clock: Clock): number {
  return clock.elapsed?.() ?? performance.now();
}
