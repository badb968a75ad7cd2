import { SECOND } from '@vitrine/core';
import type { Probe } from './probe-outcome.js';

const KEPT_MS = 5 * SECOND;

/** Tells whether this server itself has a network: asks an address that is always there. Probes that fail together share one request. */
export class Canary {
  readonly #probe: Probe;
  #last: { readonly at: number; readonly isOnline: Promise<boolean> } | null = null;

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  async isOnline(signal: AbortSignal): Promise<boolean> {
    const now = performance.now();
    if (this.#last === null || now - this.#last.at > KEPT_MS) this.#last = { at: now, isOnline: this.#ask() };
    const { isOnline } = this.#last;
    const result = await isOnline;
    signal.throwIfAborted();
    return result;
  }

  /** The request belongs to no single probe, so that the end of one does not end it for the others. It ends by its own time-out. */
  async #ask(): Promise<boolean> {
    try {
      return (await this.#probe(new AbortController().signal)).state !== 'outage';
    } catch {
      return false;
    }
  }
}
