import { UnavailableError, type Deadlines } from '@vitrine/core';

/** Equal to the size of the store's connection pool. With more slots, requests would only wait in the pool instead. */
const SLOTS = 20;
/** The part of the slots that is reserved for status and overview. */
const VITAL_SLOTS = 2;
/** How many calls may wait in a lane, and for how long each. */
const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 400;

/** Limits how many requests read the store at the same time. Status and overview have their own slots, so they are served when all others have to wait. */
export class Admission {
  readonly #shared: Lane;
  readonly #vital = new Lane(VITAL_SLOTS);

  /** @param slots concurrent requests of all lanes together; at least one of them is shared */
  constructor(slots = SLOTS) {
    this.#shared = new Lane(Math.max(1, slots - VITAL_SLOTS));
  }

  /** Runs a call when a slot is free. Rejects with an `UnavailableError` if none gets free within 400 ms, or if too many calls are waiting. */
  run<Result>(isVital: boolean, signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    const mayShare = !isVital || (!this.#vital.hasRoom && this.#shared.hasRoom);
    return (mayShare ? this.#shared : this.#vital).run(signal, call);
  }
}

class Lane {
  #free: number;
  /** First in, first out. */
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

  /** Resolves when this call has a slot. */
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

/** {@link Deadlines} that use the timers of Node. */
export class TimerDeadlines implements Deadlines {
  async run<Result>(milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (signal.aborted) throw new UnavailableError();
    const controller = new AbortController();
    return new Promise((resolve, reject) => {
      const end = (reason: UnavailableError): void => {
        controller.abort(reason);
        reject(reason);
      };
      const follow = (): void => {
        end(signal.reason instanceof UnavailableError ? signal.reason : new UnavailableError());
      };
      const timer = setTimeout(() => {
        end(new TimedOutError());
      }, milliseconds);
      signal.addEventListener('abort', follow, { once: true });
      call(controller.signal)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          signal.removeEventListener('abort', follow);
        });
    });
  }
}

/** A source did not respond in time. It is not used when the client disconnected. */
export class TimedOutError extends UnavailableError {}
