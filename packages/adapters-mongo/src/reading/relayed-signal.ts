import { setMaxListeners } from 'node:events';

type Listener = (this: RelayedSignal) => void;

/** By the signal they repeat, so that the operations of one request listen to it once. */
const relayed = new WeakMap<AbortSignal, AbortSignal>();

/**
 * A signal that repeats another one, and that is cheap to listen to: the driver listens to the signal of each operation four times, and the platform's
 * own takes some ten microseconds each time.
 */
export function relayedSignal(signal: AbortSignal): AbortSignal {
  const known = relayed.get(signal);
  if (known !== undefined) return known;
  // The driver listens, stops to listen and looks whether it is over; it uses nothing else of a signal.
  const relay = new RelayedSignal(signal) as unknown as AbortSignal;
  relayed.set(signal, relay);
  return relay;
}

class RelayedSignal {
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<Listener>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    // One request asks many questions at a time under one signal; Node takes that for a leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', () => {
      this.#abort();
    });
  }

  get aborted(): boolean {
    return this.#signal.aborted;
  }

  get reason(): unknown {
    const reason: unknown = this.#signal.reason;
    return reason;
  }

  throwIfAborted(): void {
    this.#signal.throwIfAborted();
  }

  addEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.delete(listener);
  }

  #abort(): void {
    for (const listener of this.#listeners) listener.call(this);
    this.#listeners.clear();
  }
}
