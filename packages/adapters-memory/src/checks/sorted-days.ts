import type { Instant } from '@vitrine/core';

/** Distinct starts of UTC days, ascending. */
export class SortedDays {
  readonly #days: Instant[] = [];

  get length(): number {
    return this.#days.length;
  }

  at(index: number): Instant {
    return this.#days[index] ?? Number.NaN;
  }

  /** The number of days before a time. */
  countBefore(instant: Instant): number {
    let low = 0;
    let high = this.#days.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(middle) < instant) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(day: Instant): void {
    const index = this.countBefore(day);
    if (this.#days[index] !== day) this.#days.splice(index, 0, day);
  }

  remove(day: Instant): void {
    const index = this.countBefore(day);
    if (this.#days[index] === day) this.#days.splice(index, 1);
  }
}
