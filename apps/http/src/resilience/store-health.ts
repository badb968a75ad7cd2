/** What whoever opened the store knows of it. A connection that comes and goes has this shape by itself. */
export interface StoreHealth {
  /** `connecting` until the store could be read for the first time, and never afterwards; `degraded` while it is known to be lost, or cannot be written. */
  readonly state: 'connecting' | 'ready' | 'degraded';
}

/** The health of a store that is open before anybody asks, and cannot be lost. */
export const ALWAYS_READY: StoreHealth = { state: 'ready' };
