import { DomainError, type Clock, type Deadlines, type StoreReaders } from '@vitrine/core';
import { Circuit, type CallOutcome } from './circuit.js';
import type { StoreHealth } from './store-health.js';
import { TimedOutError } from './timed-out-error.js';
import { AbortableReads, reasonOf } from './abortable-reads.js';

/** Time limit of a trial. Together with the second for which the circuit is open it is below 2 s, the time within which a store that is back must be used. */
const TRIAL_MS = 750;
/** A failure that took at least this long counts as a timeout: the driver has its own. */
const SLOW_FAILURE_MS = 500;

export interface StoreGuardParts {
  readonly health: StoreHealth;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  /** Called when calls to a reader are paused, and when they resume. */
  readonly onChange: (reader: string, isOpen: boolean) => void;
}

type Invoke = (args: readonly unknown[]) => Promise<unknown>;

/**
 * Wraps the readers of a store. A call fails immediately while the store does not answer, and rejects when its signal aborts, even if the store ignores the
 * signal. Each reader has its own circuit, so one collection that cannot be read does not affect the others. A call is never retried.
 */
export class StoreGuard {
  readonly readers: StoreReaders;
  readonly #parts: StoreGuardParts;
  readonly #circuits: Circuit[] = [];
  readonly #reads = new AbortableReads();

  constructor(readers: StoreReaders, parts: StoreGuardParts) {
    this.#parts = parts;
    this.readers = this.#allGuarded(readers);
  }

  /** Whether any reader has failed recently. */
  get isFailing(): boolean {
    return this.#circuits.some((circuit) => circuit.isFailing);
  }

  /** Every reader is guarded at its first use. */
  #allGuarded(readers: StoreReaders): StoreReaders {
    return withMembers(readers, (reader, name) => (typeof reader === 'object' && reader !== null ? this.#guarded(String(name), reader) : reader));
  }

  #guarded<Reader extends object>(name: string, reader: Reader): Reader {
    const circuit = new Circuit(this.#parts.clock, (isOpen) => {
      this.#parts.onChange(name, isOpen);
    });
    this.#circuits.push(circuit);
    return withMembers(reader, (member) => {
      if (typeof member !== 'function') return member;
      const invoke: Invoke = (args) =>
        new Promise((resolve) => {
          resolve(Reflect.apply(member, reader, args));
        });
      return (...args: readonly unknown[]): Promise<unknown> => this.#call(circuit, invoke, args);
    });
  }

  #call(circuit: Circuit, invoke: Invoke, args: readonly unknown[]): Promise<unknown> {
    const signal = signalOf(args);
    const isTrial = circuit.isOpen;
    const era = signal.aborted || this.#parts.health.state === 'connecting' ? null : circuit.admit();
    if (era === null) return Promise.reject(reasonOf(signal));
    const startedAt = this.#parts.clock.now();
    return this.#reads.run(
      signal,
      () => (isTrial ? this.#try(invoke, args, signal) : invoke(args)),
      (error) => {
        circuit.ended(era, error === null ? 'answered' : outcomeOf(error, signal, this.#parts.clock.now() - startedAt));
      },
    );
  }

  #try(invoke: Invoke, args: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    return this.#parts.deadlines.run(TRIAL_MS, signal, (own) => invoke([...args.slice(0, -1), { signal: own }]));
  }
}

/** The same object with other members. Each is made once, when it is first asked for; one that `make` returns unchanged is read each time. */
function withMembers<Target extends object>(original: Target, make: (member: unknown, name: PropertyKey) => unknown): Target {
  const made = new Map<PropertyKey, unknown>();
  return new Proxy(original, {
    get: (target, name) => {
      if (made.has(name)) return made.get(name);
      const member: unknown = Reflect.get(target, name);
      const own = make(member, name);
      if (own !== member) made.set(name, own);
      return own;
    },
  });
}

/** Every method of a port takes its context as the last argument. */
function signalOf(args: readonly unknown[]): AbortSignal {
  const context = args.at(-1);
  if (typeof context === 'object' && context !== null && 'signal' in context && context.signal instanceof AbortSignal) return context.signal;
  throw new TypeError('a reader was called without a context');
}

function outcomeOf(error: unknown, signal: AbortSignal, tookMs: number): CallOutcome {
  if (error instanceof TimedOutError || signal.reason instanceof TimedOutError) return 'timed-out';
  if (signal.aborted) return 'left';
  if (error instanceof DomainError && error.kind !== 'unavailable') return 'answered';
  return tookMs >= SLOW_FAILURE_MS ? 'timed-out' : 'failed';
}
