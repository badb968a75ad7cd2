import type { Check, ServiceState } from '@vitrine/core';

/** Notices each change of the state of a service, one line for each. The first state that a process sees is no change. */
export class StateChanges {
  readonly #states = new Map<string, ServiceState>();

  /** @param checks of one run, in the order of their times */
  noticesOf(checks: readonly Check[]): readonly string[] {
    const newest = new Map(checks.map((check) => [check.serviceKey, check]));
    return [...newest.values()].flatMap(({ serviceKey, state, rawState }) => {
      const before = this.#states.get(serviceKey);
      this.#states.set(serviceKey, state);
      return before === undefined || before === state ? [] : `${serviceKey} was ${before} and is ${state} (${rawState})`;
    });
  }
}
