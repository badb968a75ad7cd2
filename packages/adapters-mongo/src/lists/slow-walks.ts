import { MINUTE, type Clock, type Instant } from '@vitrine/core';

const REMEMBERED_MS = MINUTE;
const MAX_REMEMBERED = 1_000;

/** Lists whose walk by time took too long, because hidden records lie too thick around the approved ones; for a minute nobody tries again. */
export class SlowWalks {
  readonly #clock: Clock;
  readonly #until = new Map<string, Instant>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(walk: string): boolean {
    const until = this.#until.get(walk);
    return until !== undefined && until > this.#clock.now();
  }

  add(walk: string): void {
    if (this.#until.size >= MAX_REMEMBERED) this.#until.clear();
    this.#until.set(walk, this.#clock.now() + REMEMBERED_MS);
  }
}
