import { DomainError, MINUTE, SECOND } from '@vitrine/core';
import type { ApprovedRepositories, Clock, Deadlines, Instant, StoreReaders, SyncReader, SyncTimes } from '@vitrine/core';
import { reasonOf, TimedOutError, untilAborted } from './computations.js';

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
  readonly #circuits: Circuit[] = [];
  /** A store that was connected once never returns to `connecting`. */
  #isConnected = false;

  constructor(
    readers: StoreReaders,
    private readonly parts: StoreGuardParts,
  ) {
    // Every reader is guarded at its first use.
    this.readers = withMembers(readers, (reader, name) =>
      typeof reader === 'object' && reader !== null ? this.#guarded(String(name), reader) : reader,
    );
  }

  /** Whether any reader has failed recently. */
  get isFailing(): boolean {
    return this.#circuits.some((circuit) => circuit.isFailing);
  }

  #guarded<Reader extends object>(name: string, reader: Reader): Reader {
    const circuit = new Circuit(this.parts.clock, (isOpen) => this.parts.onChange(name, isOpen));
    this.#circuits.push(circuit);
    return withMembers(reader, (member) => {
      if (typeof member !== 'function') return member;
      const invoke: Invoke = (args) => Reflect.apply(member, reader, args) as Promise<unknown>;
      return (...args: readonly unknown[]): Promise<unknown> => this.#call(circuit, invoke, args);
    });
  }

  async #call(circuit: Circuit, invoke: Invoke, args: readonly unknown[]): Promise<unknown> {
    const signal = signalOf(args);
    const isTrial = circuit.isOpen;
    this.#isConnected ||= this.parts.health.state !== 'connecting';
    const era = signal.aborted || !this.#isConnected ? null : circuit.admit();
    if (era === null) throw reasonOf(signal);
    const startedAt = this.parts.clock.now();
    try {
      const result = await untilAborted(signal, () => (isTrial ? this.#try(invoke, args, signal) : invoke(args)));
      circuit.ended(era, 'answered');
      return result;
    } catch (error) {
      circuit.ended(era, outcomeOf(error, signal, this.parts.clock.now() - startedAt));
      throw error;
    }
  }

  #try(invoke: Invoke, args: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    return this.parts.deadlines.run(TRIAL_MS, signal, (own) => invoke([...args.slice(0, -1), { signal: own }]));
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

/** This many time-outs within {@link WITHIN_MS} open the circuit. */
const TIME_OUTS = 3;
const WITHIN_MS = 10 * SECOND;
const OPEN_MS = SECOND;
/** How long a failure is reported if no further call is made. */
const REMEMBERED_MS = MINUTE;

/** `left`: the client disconnected first, so the call says nothing about the source. */
export type CallOutcome = 'answered' | 'failed' | 'timed-out' | 'left';

/**
 * A circuit breaker: it keeps callers from waiting for a source that does not respond. Three time-outs within 10 s open the circuit: for one second no call
 * is made. Then a single call may try, and its outcome closes the circuit or opens it for another second.
 */
export class Circuit {
  /** Grows each time the circuit opens. Outcomes of calls from an earlier era are ignored, because they describe the source as it was before. */
  #era = 0;
  #timeOuts: readonly Instant[] = [];
  #openedAt: Instant | null = null;
  #isTrying = false;
  #failedAt: Instant | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly onChange: (isOpen: boolean) => void,
  ) {}

  /** Whether the most recently ended call failed, and did so within the last minute. */
  get isFailing(): boolean {
    return this.#failedAt !== null && this.clock.now() - this.#failedAt < REMEMBERED_MS;
  }

  /** Whether the next admitted call is a trial of a source that did not respond. */
  get isOpen(): boolean {
    return this.#openedAt !== null;
  }

  /** Admits a call: returns the era to pass to {@link ended}, or `null` if no call may be made now. */
  admit(): number | null {
    if (this.#openedAt === null) return this.#era;
    const openFor = this.clock.now() - this.#openedAt;
    // If the clock was set back, the difference is negative. That must not keep the circuit open.
    if (this.#isTrying || (openFor >= 0 && openFor < OPEN_MS)) return null;
    this.#isTrying = true;
    return this.#era;
  }

  /** Records the outcome of an admitted call. Call it once for each. */
  ended(era: number, outcome: CallOutcome): void {
    if (outcome === 'answered') this.#failedAt = null;
    else if (outcome !== 'left') this.#failedAt = this.clock.now();
    if (era !== this.#era) return;
    if (this.#openedAt !== null) this.#tried(outcome);
    else if (outcome === 'timed-out') this.#timedOut(this.clock.now());
  }

  #tried(outcome: CallOutcome): void {
    this.#isTrying = false;
    if (outcome === 'left') return;
    if (outcome !== 'answered') {
      this.#open();
      return;
    }
    this.#openedAt = null;
    this.onChange(false);
  }

  #timedOut(now: Instant): void {
    this.#timeOuts = [...this.#timeOuts.filter((at) => now - at < WITHIN_MS), now];
    if (this.#timeOuts.length < TIME_OUTS) return;
    this.#open();
    this.onChange(true);
  }

  #open(): void {
    this.#era += 1;
    this.#timeOuts = [];
    this.#openedAt = this.clock.now();
  }
}

/** What is known about the state of the store. A database connection has this shape. */
export interface StoreHealth {
  /**
   * `connecting`: not read yet; it never returns to this state. `degraded`: the store is lost, or cannot be written. `moved`: the files of the store were removed or
   * replaced, so reads may be outdated.
   */
  readonly state: 'connecting' | 'ready' | 'degraded' | 'moved';
}

/** The health of a store that is always open. */
export const ALWAYS_READY: StoreHealth = { state: 'ready' };

/** Answers are whole without them, so they do not wait for them for long. */
const DEADLINE_MS = 500;
/** A context that no client can abort, because other requests use the same records. */
const DETACHED = new AbortController().signal;

/** Every request needs the sync records. They are read once for each set of approved repositories, and again after {@link forget}. */
export class KeptSyncReader implements SyncReader {
  readonly #kept = new Map<string, Promise<readonly SyncTimes[]>>();

  /** @param isTold whether `forget` is called when they change. Otherwise only requests at the same time share them. */
  constructor(
    private readonly reader: SyncReader,
    private readonly deadlines: Deadlines,
    private readonly isTold: boolean,
  ) {}

  list(approved: ApprovedRepositories | null): Promise<readonly SyncTimes[]> {
    const key = approved === null ? '-' : `=${approved.revision}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const syncs = this.deadlines.run(DEADLINE_MS, DETACHED, (signal) => this.reader.list(approved, { signal }));
    this.#keep(key, syncs);
    return syncs;
  }

  /** The next answer reads them again. */
  forget(): void {
    this.#kept.clear();
  }

  #keep(key: string, syncs: Promise<readonly SyncTimes[]>): void {
    // Only the newest revision is asked for again.
    for (const other of this.#kept.keys()) if (other !== '-' && key !== '-') this.#kept.delete(other);
    this.#kept.set(key, syncs);
    const drop = (): void => {
      if (this.#kept.get(key) === syncs) this.#kept.delete(key);
    };
    syncs.then(this.isTold ? undefined : drop, drop);
  }
}
