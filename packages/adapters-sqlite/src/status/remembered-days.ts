import { MINUTE, startOfDay, type DaySlice, type DaysQuery, type Instant } from '@vitrine/core';

type Days = ReadonlyMap<string, readonly DaySlice[]>;

/** The days of more services are read each time, so that the memory stays small. */
const MOST_SLICES = 40_000;

/**
 * Remembers the days of all services that have ended, as pages ask for them again and again. It keeps them until a day that has ended changes, in whatever
 * process, and at most for a minute: a write that began before midnight counts as one of its day, although that day has ended when it is stored.
 */
export class RememberedDays {
  #key = '';
  #since: Instant = 0;
  #past: Days = new Map();

  /**
   * @param pastChanges a number that changes with each change of a day that has ended, read before this call: if something changes meanwhile, the next call
   * has another number
   * @param read reads the days of a query from the store
   */
  async days(query: DaysQuery, pastChanges: number, read: (query: DaysQuery) => Promise<Days>): Promise<Days> {
    const { serviceKeys, window, now } = query;
    const today = startOfDay(now);
    if (serviceKeys !== null || window.withoutLatency !== true || window.from >= today || window.to < today) return read(query);
    const key = [window.from, today, pastChanges].join(' ');
    const isRecent = now >= this.#since && now - this.#since <= MINUTE;
    if (isRecent && key === this.#key) return joined(this.#past, await read({ ...query, window: { ...window, from: today } }));
    const all = await read(query);
    this.#remember(key, all, now);
    return all;
  }

  #remember(key: string, all: Days, now: Instant): void {
    const today = startOfDay(now);
    this.#since = now;
    const past = new Map([...all].map(([serviceKey, slices]) => [serviceKey, slices.filter(({ day }) => day < today)]));
    const isSmall = [...past.values()].reduce((sum, slices) => sum + slices.length, 0) <= MOST_SLICES;
    [this.#key, this.#past] = isSmall ? [key, past] : ['', new Map<string, readonly DaySlice[]>()];
  }
}

/** A service without such days is absent. */
function joined(past: Days, present: Days): Days {
  const all = new Map([...past].filter(([, slices]) => slices.length > 0));
  for (const [serviceKey, slices] of present) all.set(serviceKey, [...(past.get(serviceKey) ?? []), ...slices]);
  return all;
}
