import type { Lifecycle } from './lifecycle.js';
import type { StoreHealth } from '../resilience/store-health.js';

/** Whether the process may be sent traffic. Once it has been ready, a lost store does not change that: copies are better than nothing. */
export class Readiness {
  readonly #lifecycle: Lifecycle;
  readonly #health: StoreHealth;
  readonly #isFailing: () => boolean;

  /** @param isFailing whether a part of the store could not be read lately */
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
