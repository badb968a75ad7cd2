import type { Lifecycle } from './lifecycle.js';
import type { StoreHealth } from '../resilience/store-health.js';

/** Whether the process may receive traffic. Once it was ready, it stays ready if the store is lost, because it can serve the last good responses. */
export class Readiness {
  readonly #lifecycle: Lifecycle;
  readonly #health: StoreHealth;
  readonly #isFailing: () => boolean;

  /** @param isFailing whether a recent read of a part of the store failed */
  constructor(lifecycle: Lifecycle, health: StoreHealth, isFailing: () => boolean) {
    this.#lifecycle = lifecycle;
    this.#health = health;
    this.#isFailing = isFailing;
  }

  get status(): 'starting' | 'ready' | 'degraded' | 'stopping' {
    const { phase } = this.#lifecycle;
    if (phase !== 'ready') return phase;
    if (this.#health.state === 'connecting') return 'starting';
    return this.#health.state === 'degraded' || this.#isFailing() ? 'degraded' : 'ready';
  }

  get takesTraffic(): boolean {
    return this.status === 'ready' || this.status === 'degraded';
  }
}
