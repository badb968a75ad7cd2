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
    this.readers = {
      repositories: this.#guarded('repositories', readers.repositories),
      commits: this.#guarded('commits', readers.commits),
      releases: this.#guarded('releases', readers.releases),
      findings: this.#guarded('findings', readers.findings),
      builds: this.#guarded('builds', readers.builds),
      missions: this.#guarded('missions', readers.missions),
      news: this.#guarded('news', readers.news),
      articles: this.#guarded('articles', readers.articles),
      videos: this.#guarded('videos', readers.videos),
      services: this.#guarded('services', readers.services),
      checks: this.#guarded('checks', readers.checks),
      incidents: this.#guarded('incidents', readers.incidents),
      search: this.#guarded('search', readers.search),
      syncs: this.#guarded('syncs', readers.syncs),
    };
  }

  /** Whether any reader has failed recently. */
  get isFailing(): boolean {
    return this.#circuits.some((circuit) => circuit.isFailing);
  }

  #guarded<Reader extends object>(name: string, reader: Reader): Reader {
    const circuit = new Circuit(this.#parts.clock, (isOpen) => {
      this.#parts.onChange(name, isOpen);
    });
    this.#circuits.push(circuit);
    const methods = new Map<PropertyKey, unknown>();
    return new Proxy(reader, {
      get: (target, property) => {
        const known = methods.get(property);
        if (known !== undefined) return known;
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== 'function') return member;
        const invoke: Invoke = (args) =>
          new Promise((resolve) => {
            resolve(Reflect.apply(member, target, args));
          });
        const method = (...args: readonly unknown[]): Promise<unknown> => this.#call(circuit, invoke, args);
        methods.set(property, method);
        return method;
      },
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
