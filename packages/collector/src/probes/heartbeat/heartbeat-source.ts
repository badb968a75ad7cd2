import { SourceError, type Receiver, type RunReport, type SourceContext } from '../../running/source.js';
import { timingSafeEqual } from 'node:crypto';
import type { Environment, HeartbeatServiceConfig } from '@vitrine/config';
import { CHECK_CLOCK_TOLERANCE_MS, MINUTE, NO_REPOSITORY, startOfDay } from '@vitrine/core';
import type { Check, Clock, Instant, RefusedRecord, Sync } from '@vitrine/core';
import { measuredCheck } from '../probe.js';
import { StateChanges } from '../probe-source.js';
import { RegisteredSource } from '../../running/registered-source.js';
import { HeartbeatSlots, type HeartbeatWord, type Observation } from './heartbeat-slots.js';
import { hashOfToken, tokenOf } from './heartbeat-connections.js';

export interface HeartbeatReceiver extends Receiver {
  /** The time since which heartbeats can be received, on the monotonic clock. Rejects with a {@link SourceError} if they cannot. */
  listeningSince(): Promise<number>;
  /** When a connection was last refused that may have brought a heartbeat, on the monotonic clock. */
  readonly refusedAt: number;
  /** Whether another service has the same token. Then no heartbeat can say which of them it is about. */
  isShared(source: HeartbeatSource): boolean;
}

export interface HeartbeatSourceOptions {
  readonly service: Pick<HeartbeatServiceConfig, 'key' | 'intervalMs' | 'graceMs' | 'tokenVariable'>;
  readonly environment: Environment;
  readonly publicAddress: () => string;
  readonly receiver: HeartbeatReceiver;
}

/** More heartbeats than this that cannot be stored are not kept. */
const MOST_KEPT = 1_000;

/** A check counts a little before its time, and the next run comes after a minute at most. */
const OUTDATED_BEFORE_MS = CHECK_CLOCK_TOLERANCE_MS + 2 * MINUTE;

const STATES = { ok: 'operational', reported: 'outage', missed: 'outage', overloaded: 'unknown' } as const;

/**
 * Stores one check for each {@link HeartbeatSlots slot} of a service: its worst word, or an outage if no heartbeat came. How long one is overdue is measured on the
 * monotonic clock, and only while heartbeats can be received. So neither a clock that is set nor a pause of this process makes one look missed.
 */
export class HeartbeatSource extends RegisteredSource {
  readonly receiver: HeartbeatReceiver;
  readonly #options: HeartbeatSourceOptions;
  readonly #validForMs: number;
  readonly #changes = new StateChanges();
  /** `null`: the service has no usable token. Each run says why. */
  readonly #hash: Buffer | null;
  /** Heartbeats that are not stored yet, the oldest first. Of many of one word within an interval, the first and the last: they are in the same slots as all of them. */
  #arrived: readonly Observation[] = [];
  #clock: Clock | null = null;
  /** When a heartbeat of this process is due, on the monotonic clock. */
  #dueAt = 0;
  /** When the last heartbeat came or was missed, on the monotonic clock. */
  #silentSince = 0;
  /** When heartbeats could be received, on the monotonic clock; `null`: they cannot. */
  #since: number | null = null;

  constructor(options: HeartbeatSourceOptions) {
    const { key, intervalMs, graceMs } = options.service;
    const registration = { label: key, repositoryRef: NO_REPOSITORY, feeds: ['check'] } as const;
    super(`heartbeat ${key}`, Math.min(intervalMs, MINUTE), { id: `heartbeat:${key}`, sourceType: 'heartbeat', ...registration });
    this.receiver = options.receiver;
    this.#options = options;
    this.#validForMs = intervalMs + graceMs;
    const token = tokenOf(options.service, options.environment);
    this.#hash = token instanceof SourceError ? null : hashOfToken(token);
  }

  /** Whether this is the hash of the token of the service. Takes as long for each hash. */
  hasToken(hash: Buffer): boolean {
    return this.#hash !== null && timingSafeEqual(this.#hash, hash);
  }

  sharesToken(other: HeartbeatSource): boolean {
    return this !== other && this.#hash !== null && other.hasToken(this.#hash);
  }

  receive(word: HeartbeatWord, clock: Clock): void {
    const heard = { word, at: clock.now() };
    const interval = (at: Instant) => Math.floor(at / this.#options.service.intervalMs);
    const [first, ...others] = this.#arrived.filter((one) => one.word === word && interval(one.at) === interval(heard.at));
    const kept = first === undefined ? this.#arrived : this.#arrived.filter((one) => !others.includes(one));
    this.#arrived = [...kept, heard].slice(-MOST_KEPT);
    this.#silentSince = elapsed(clock);
    this.#dueAt = this.#silentSince + this.#validForMs;
  }

  readonly nextRunAt = (now: Instant): Instant => {
    const untilDue = this.#since === null || this.#clock === null ? this.intervalMs : this.#due(this.#since) - elapsed(this.#clock);
    return now + Math.min(this.intervalMs, Math.max(0, untilDue));
  };

  async run(context: SourceContext): Promise<RunReport> {
    const { clock } = context;
    [this.#clock, this.#since] = [clock, null];
    this.#since = await this.#requireReceiver();
    const before = await this.syncIn(context);
    const slots = new HeartbeatSlots(before?.state ?? null, this.#options.service.intervalMs);
    await this.#removeReplaced(slots, context);
    const [at, elapsedMs, arrived] = [clock.now(), elapsed(clock), this.#arrived];
    const overdueMs = elapsedMs - this.#due(this.#since);
    for (const heard of arrived) slots.hear(heard);
    const isMissed = arrived.length === 0 && overdueMs >= 0;
    const word = this.receiver.refusedAt >= this.#silentSince ? 'overloaded' : 'missed';
    if (isMissed) slots.miss({ word, at }, at - overdueMs, this.#validForMs);
    else slots.carry(at, this.#validForMs, this.intervalMs);
    slots.remove(await this.#outdated(slots, at, context));
    const refused = await this.#store(slots, before, at, context);
    this.#arrived = this.#arrived.filter((one) => !arrived.includes(one));
    if (isMissed) this.#wasMissed(elapsedMs, overdueMs);
    const warnings = refused.map(({ reason }) => `the store refused a heartbeat: ${reason}`);
    const notices = this.#changes.noticesOf(slots.stored.map((one) => this.#checkOf(one)));
    return { stored: slots.stored.length - refused.length, unchanged: 0, removed: 0, warnings, notices };
  }

  async #store(slots: HeartbeatSlots, before: Sync | null, at: Instant, context: SourceContext): Promise<readonly RefusedRecord[]> {
    const checks = slots.stored.map((one) => this.#checkOf(one));
    const syncOf = (state: string | null) => this.completed(before, { at, state });
    const { refused } = await context.writer.put([...checks, syncOf(JSON.stringify(slots.state))], context);
    // What was not stored does not count as the word of its slot.
    if (refused.length > 0) await context.writer.put([syncOf(before?.state ?? null)], context);
    else await this.#removeReplaced(slots, context);
    return refused;
  }

  /**
   * After the clock was set back, checks of the time before are in the future. They say nothing about the same time when it comes again, so each of them is removed
   * shortly before it counts. Later ones are kept, because the clock may be wrong now.
   */
  async #outdated({ state: { stored, newest } }: HeartbeatSlots, at: Instant, { collection, signal }: SourceContext): Promise<readonly Instant[]> {
    const [from, until] = [Math.max(at, stored?.at ?? Infinity), Math.min(newest, at + OUTDATED_BEFORE_MS)];
    if (from >= until) return [];
    const days = [...new Set([from, until].map(startOfDay))];
    const checks = await Promise.all(days.map((day) => collection.checksOf({ serviceKey: this.#options.service.key, day }, { signal })));
    const { source } = this.#identityOf(at);
    const times = checks.flat().flatMap(({ checkedAt, provenance }) => (provenance.source === source ? [checkedAt] : []));
    return times.filter((time) => time > from && time <= until);
  }

  /** A run that was interrupted is completed by the next one. */
  async #removeReplaced(slots: HeartbeatSlots, { writer, signal }: SourceContext): Promise<void> {
    const { replaced } = slots.state;
    if (replaced.length === 0) return;
    await writer.remove(
      replaced.map((at) => this.#identityOf(at)),
      { signal },
    );
    slots.removed();
  }

  /** The next one is due at a whole number of intervals after this one, so that delays do not add up. Intervals that have passed meanwhile are left out. */
  #wasMissed(elapsedMs: number, overdueMs: number): void {
    const { intervalMs } = this.#options.service;
    this.#dueAt = Math.max(this.#dueAt, elapsedMs - (overdueMs % intervalMs) + intervalMs);
    this.#silentSince = Math.max(this.#silentSince, elapsedMs);
  }

  #due(since: number): number {
    return Math.max(this.#dueAt, since + this.#validForMs);
  }

  async #requireReceiver(): Promise<number> {
    const { service, environment } = this.#options;
    const token = tokenOf(service, environment);
    if (token instanceof SourceError) throw token;
    const since = await this.receiver.listeningSince();
    if (!this.receiver.isShared(this)) return since;
    throw new SourceError(
      `${service.key} has the token of another service. Set the environment variable ${service.tokenVariable} to a token of its own.`,
      'SAME_TOKEN',
    );
  }

  #checkOf({ word, at }: Observation): Check {
    const { service, publicAddress } = this.#options;
    const observed = { state: STATES[word], rawState: word, checkedAt: at, responseTimeMs: null };
    return measuredCheck({ serviceKey: service.key, validForMs: this.#validForMs }, observed, publicAddress());
  }

  #identityOf(at: Instant) {
    const { serviceKey, checkedAt, provenance } = this.#checkOf({ word: 'ok', at });
    return { kind: 'check', serviceKey, checkedAt, source: provenance.source } as const;
  }
}

export function elapsed(clock: Clock): number {
  return clock.elapsed?.() ?? performance.now();
}
