import type { Instant } from '@vitrine/core';
import { tailLogKey, type LogKey } from '../log/log-keys.js';

/** Checks of a day that are in the log, but not in the pack of the day yet. */
interface Tail {
  readonly checks: number;
  readonly keys: readonly LogKey[];
}

/** The days that have tails in the log. With tails, a new check does not require to write the whole day again. */
export class CheckTails {
  readonly #services = new Map<string, Map<Instant, Tail>>();

  checksOf(serviceKey: string, day: Instant): number {
    return this.#tail(serviceKey, day).checks;
  }

  keysOf(serviceKey: string, day: Instant): readonly LogKey[] {
    return this.#tail(serviceKey, day).keys;
  }

  /** The key of the next tail entry of a day. */
  nextKey(serviceKey: string, day: Instant): LogKey {
    const last = this.#tail(serviceKey, day).keys.at(-1);
    return tailLogKey(serviceKey, day, last === undefined ? 0 : Number(last.slice(last.lastIndexOf('/') + 1)) + 1);
  }

  daysBefore(serviceKey: string, day: Instant): Instant[] {
    return [...(this.#services.get(serviceKey)?.keys() ?? [])].filter((other) => other < day);
  }

  added(serviceKey: string, day: Instant, key: LogKey, checks: number): void {
    const days = this.#services.get(serviceKey) ?? new Map<Instant, Tail>();
    const before = this.#tail(serviceKey, day);
    days.set(day, { checks: before.checks + checks, keys: [...before.keys, key] });
    this.#services.set(serviceKey, days);
  }

  /** Call this when the pack of the day contains all its checks. */
  folded(serviceKey: string, day: Instant): void {
    this.#services.get(serviceKey)?.delete(day);
  }

  #tail(serviceKey: string, day: Instant): Tail {
    return this.#services.get(serviceKey)?.get(day) ?? { checks: 0, keys: [] };
  }
}
