/** The checks of every n-th service are counted. That is enough to find a wrong figure, and fits into memory. */
const COUNTED = 33;

/** The expected values, read from the raw checks without Vitrine. */
export class StoredChecks {
  /** The state of the newest check of each service. */
  readonly states: ReadonlyMap<string, string>;
  readonly #times: ReadonlyMap<string, Float64Array>;

  /** @param times the times of the checks of each counted service, in any order */
  constructor(states: ReadonlyMap<string, string>, times: ReadonlyMap<string, readonly number[]>) {
    this.states = states;
    this.#times = new Map([...times].map(([key, list]) => [key, Float64Array.from(list).sort()]));
  }

  isCounted(key: string): boolean {
    return this.#times.has(key);
  }

  /** The number of checks of a service from `from` to `to`, both included. */
  count(key: string, from: number, to: number): number {
    const times = this.#times.get(key);
    return times === undefined ? 0 : countBefore(times, to + 1) - countBefore(times, from);
  }
}

/** A binary search: filtered copies would be megabytes, and their collection would disturb the measurement. */
function countBefore(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The services whose checks are counted. */
export function countedServices(keys: readonly string[]): readonly string[] {
  return keys.filter((_, index) => index % COUNTED === 0);
}
