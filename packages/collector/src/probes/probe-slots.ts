import { SECOND, type Instant } from '@vitrine/core';
import type { Probe } from './probe-outcome.js';
import { SourceError } from '../running/source-error.js';
import { createHash } from 'node:crypto';

const KEPT_MS = 5 * SECOND;

const CANARY_OFFLINE = 'the canary does not respond, so failures are stored as unknown. If this server has a network, correct the address of canary';

export interface CanaryAnswer {
  readonly isOnline: boolean;
  /** Why failures are not stored as outages, or what has to be corrected; `null`: nothing. */
  readonly problem: string | null;
}

/** Tells whether this server itself has a network: asks an address that is always there. Probes that fail together share one request. */
export class Canary {
  readonly #probe: Probe;
  #last: { readonly at: number; readonly answer: Promise<CanaryAnswer> } | null = null;

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  async answer(signal: AbortSignal): Promise<CanaryAnswer> {
    const now = performance.now();
    if (this.#last === null || now - this.#last.at > KEPT_MS) this.#last = { at: now, answer: this.#ask() };
    const answer = await this.#last.answer;
    signal.throwIfAborted();
    return answer;
  }

  /**
   * The request belongs to no single probe, so that the end of one does not end it for the others. It ends by its own time-out. A canary that may not be asked as it
   * is configured says nothing about the network, so it hides no outage.
   */
  async #ask(): Promise<CanaryAnswer> {
    try {
      const isOnline = (await this.#probe(new AbortController().signal)).state !== 'outage';
      return { isOnline, problem: isOnline ? null : CANARY_OFFLINE };
    } catch (error) {
      const isRefused = error instanceof SourceError;
      return { isOnline: isRefused, problem: isRefused ? error.message : CANARY_OFFLINE };
    }
  }
}

/** At most this part of the interval, and at most a second. */
const JITTER = 0.05;

/**
 * The times at which a probe runs. Each probe has slots at a fixed distance by the clock, so that no delay ever adds up, and its own offset, so that probes with the
 * same interval do not all run at once. A run starts a random moment after its slot.
 */
export class ProbeSlots {
  readonly #intervalMs: number;
  readonly #offsetMs: number;
  readonly #random: () => number;
  #last: Instant = -Infinity;

  /** @param name gives the offset: the same name, the same slots @param random from 0 to 1 */
  constructor(name: string, intervalMs: number, random: () => number = Math.random) {
    this.#intervalMs = intervalMs;
    this.#offsetMs = Math.floor((createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32) * intervalMs);
    this.#random = random;
  }

  /** When the next run is due. Slots that have passed are left out. */
  next(now: Instant): Instant {
    const interval = this.#intervalMs;
    let slot = (Math.floor((now - this.#offsetMs) / interval) + 1) * interval + this.#offsetMs;
    // A timer may fire a moment too early. A slot far behind the last one means that the clock was set back.
    if (slot <= this.#last && this.#last - slot < interval) slot = this.#last + interval;
    this.#last = slot;
    return slot + Math.floor(this.#random() * Math.min(interval * JITTER, SECOND));
  }
}
