import type { Clock } from '../ports/clock.js';
import type { ReadContext } from '../ports/read-context.js';
import type { RecordStore } from '../ports/store.js';

/** One promise of a port, as data: any test runner can run it. It rejects with what is wrong. */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** Opens an empty store that tells time by the given clock. Search must be ready when it resolves. */
export type OpenStore = (clock: Clock) => Promise<RecordStore>;

export interface ContractOptions {
  readonly open: OpenStore;
  /** A signal that never aborts; the core cannot make one. */
  readonly context: ReadContext;
  /** The first seed of the random cases. */
  readonly seed: number;
  /** How many random runs each random case makes. */
  readonly runs: number;
}

/** A clock that stands until it is set, as if so much time had passed, or until it jumps. */
export class StandingClock implements Clock {
  #now: number;
  #elapsed = 0;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  set(now: number): void {
    this.#elapsed += now - this.#now;
    this.#now = now;
  }

  /** Says another time at once, although no time has passed. */
  jump(now: number): void {
    this.#now = now;
  }
}

/** Fails unless both are the same as JSON; `undefined` and absent fields are the same. */
export function assertSame(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${what}: expected ${shortened(right)}, got ${shortened(left)}`);
}

export function assert(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

function shortened(text: string | undefined): string {
  return text === undefined || text.length <= 600 ? String(text) : `${text.slice(0, 600)}… (${String(text.length)} characters)`;
}

/** Runs a case on a store of its own, and closes it. */
export async function withStore({ open }: ContractOptions, clock: Clock, use: (store: RecordStore) => Promise<void>): Promise<void> {
  const store = await open(clock);
  try {
    await use(store);
  } finally {
    await store.close();
  }
}
