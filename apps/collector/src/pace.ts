import { MINUTE, SECOND } from '@vitrine/core';

/** How far a piece of work is. */
export interface Done {
  readonly done: number;
  /** What is counted, such as `commits`. */
  readonly what: string;
  /** How many there are in all; `undefined` if that is not known. */
  readonly total?: number | undefined;
}

/** Before this time, a rate says little. */
const LEAST_MS = SECOND;

/** How fast a number grows. */
export class Pace {
  #first: { readonly what: string; readonly done: number; readonly at: number } | null = null;

  /** Such as `12,000 of 50,000 commits, 4,000/s, 10 s left`. @param now in milliseconds, from any start */
  textOf({ done, what, total }: Done, now: number): string {
    const rate = this.#rateOf(done, what, now);
    const count = total === undefined ? `${number(done)} ${what}` : `${number(done)} of ${number(total)} ${what}`;
    if (rate === null) return count;
    const left = total === undefined ? '' : `, ${duration(((total - done) / rate) * SECOND)} left`;
    return `${count}, ${number(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))}/s${left}`;
  }

  /** In a second; `null`: not known yet. */
  #rateOf(done: number, what: string, now: number): number | null {
    const first = this.#first;
    if (first === null || first.what !== what || first.done > done) {
      // The work has begun, has entered another phase, or has started again.
      this.#first = { what, done, at: now };
      return null;
    }
    return now - first.at < LEAST_MS || done === first.done ? null : ((done - first.done) / (now - first.at)) * SECOND;
  }
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function duration(milliseconds: number): string {
  if (milliseconds < 2 * MINUTE) return `${number(Math.ceil(Math.max(0, milliseconds) / SECOND))} s`;
  return `${number(Math.ceil(milliseconds / MINUTE))} min`;
}
