import { setMaxListeners } from 'node:events';

type Listener = (this: RelayedSignal) => void;

/** By the original signal, so that all operations of one request share one listener on it. */
const relayed = new WeakMap<AbortSignal, AbortSignal>();

/**
 * A signal that aborts with another one, and to which listeners can be added quickly. The driver adds four listeners for each operation, and with the platform's
 * own `AbortSignal` each takes about ten microseconds.
 */
export function relayedSignal(signal: AbortSignal): AbortSignal {
  const known = relayed.get(signal);
  if (known !== undefined) return known;
  // The driver uses only these members of a signal: add a listener, remove a listener, and `aborted`.
  const relay = new RelayedSignal(signal) as unknown as AbortSignal;
  relayed.set(signal, relay);
  return relay;
}

class RelayedSignal {
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<Listener>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    // One request runs many operations under one signal. Without this, Node warns of a memory leak.
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

/** Runs a call for several waiting callers. Its signal aborts when the signals of all callers have aborted. */
export async function whileAnyoneWaits<Result>(signals: readonly AbortSignal[], run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const [only, ...others] = new Set(signals);
  if (only !== undefined && others.length === 0) return run(only);
  const controller = new AbortController();
  const leave = (): void => {
    if (signals.every((signal) => signal.aborted)) controller.abort(only?.reason);
  };
  const relays = signals.map(relayedSignal);
  for (const relay of relays) relay.addEventListener('abort', leave);
  leave();
  try {
    return await run(controller.signal);
  } finally {
    for (const relay of relays) relay.removeEventListener('abort', leave);
  }
}
