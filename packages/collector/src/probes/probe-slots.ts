import { createHash } from 'node:crypto';
import { SECOND, type Instant } from '@vitrine/core';

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
