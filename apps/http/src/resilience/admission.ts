import { UnavailableError } from '@vitrine/core';

/** As many as a store's connections: more would only wait further in. */
const SLOTS = 20;
/** Of these, kept for status and overview. */
const VITAL_SLOTS = 2;
/** So many may wait in a lane, each for so long. */
const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 400;

/** Lets so many requests ask the store at a time that it can answer them. Status and overview are let in when everything else has to wait. */
export class Admission {
  readonly #shared: Lane;
  readonly #vital = new Lane(VITAL_SLOTS);

  /** @param slots requests at a time, all lanes together; one is shared at the least */
  constructor(slots = SLOTS) {
    this.#shared = new Lane(Math.max(1, slots - VITAL_SLOTS));
  }

  /** Runs a call once there is room. Rejects with an `UnavailableError` when there is none for 400 ms, or too many wait already. */
  run<Result>(isVital: boolean, signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    const mayShare = !isVital || (!this.#vital.hasRoom && this.#shared.hasRoom);
    return (mayShare ? this.#shared : this.#vital).run(signal, call);
  }
}

class Lane {
  #free: number;
  /** In the order in which they came. */
  readonly #waiting = new Set<() => void>();

  constructor(slots: number) {
    this.#free = slots;
  }

  get hasRoom(): boolean {
    return this.#free > 0;
  }

  async run<Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    try {
      return await call();
    } finally {
      this.#release();
    }
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next();
  }

  /** Resolves with a slot taken. */
  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size >= MAX_WAITING) {
        reject(busy());
        return;
      }
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.#waiting.delete(take);
      };
      const take = (): void => {
        leave();
        resolve();
      };
      const giveUp = (): void => {
        leave();
        reject(busy());
      };
      const timer = setTimeout(giveUp, MAX_WAIT_MS);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(take);
    });
  }
}

function busy(): UnavailableError {
  return new UnavailableError('Too many requests are being answered at the moment.');
}
