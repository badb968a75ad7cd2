/** What is known about the state of the store. A database connection has this shape. */
export interface StoreHealth {
  /**
   * `connecting`: not read yet; it never returns to this state. `degraded`: the store is lost, or cannot be written. `moved`: the files of the store were removed or
   * replaced, so what is read may be outdated.
   */
  readonly state: 'connecting' | 'ready' | 'degraded' | 'moved';
}

/** The health of a store that is always open. */
export const ALWAYS_READY: StoreHealth = { state: 'ready' };
