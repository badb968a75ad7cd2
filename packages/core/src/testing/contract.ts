import { compareText } from '../domain/shared/text-order.js';
import type { Clock } from '../ports/clock.js';
import type { ReadContext } from '../ports/read-context.js';
import type { RecordStore } from '../ports/store.js';

/** One promise of a port, as data: any test runner can run it. It rejects with what is wrong. */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Opens an empty store that tells time by the given clock. Search must be ready when it resolves. */
export type OpenStore = (clock: Clock) => Promise<RecordStore>;

export interface ContractOptions {
  readonly open: OpenStore;
  /** What calls are made with that nobody ends early: a signal that never aborts. */
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

/** Fails unless both are the same as JSON, whatever the order of the fields; `undefined` and absent fields are the same. */
export function assertSame(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [canonicalJson(actual), canonicalJson(expected)];
  if (found === wanted) return;
  if (!Array.isArray(actual) || !Array.isArray(expected))
    throw new BrokenPromise(`${what}: expected ${shortened(wanted)}, found ${shortened(found)}`);
  const at = expected.findIndex((item, index) => canonicalJson(item) !== canonicalJson(actual[index]));
  const index = at < 0 ? expected.length : at;
  throw new BrokenPromise(
    `${what}: expected ${count(expected)}, found ${count(actual)}; at index ${String(index)} ` +
      `expected ${shortened(canonicalJson(expected[index]))}, found ${shortened(canonicalJson(actual[index]))}`,
  );
}

export function assert(condition: boolean, what: string): void {
  if (!condition) throw new BrokenPromise(what);
}

function canonicalJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => compareText(a, b)))
      : inner,
  );
}

function count({ length }: readonly unknown[]): string {
  return length === 1 ? '1 item' : `${String(length)} items`;
}

function shortened(text: string | undefined): string {
  if (text === undefined) return 'nothing';
  return text.length <= 600 ? text : `${text.slice(0, 600)}… (${String(text.length)} characters)`;
}

/** Repeats a random case; a failure names the seed that repeats it alone. */
export async function withSeeds({ seed, runs }: Pick<ContractOptions, 'seed' | 'runs'>, run: (seed: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < runs; index++) {
    try {
      await run(seed + index);
    } catch (error) {
      throw brokenPromise(`seed ${String(seed + index)}`, error);
    }
  }
}

/** A case whose failures begin with its name, for runners that print only the message. */
export function namedCase(name: string, run: () => Promise<void>): ContractCase {
  return {
    name,
    async run() {
      try {
        await run();
      } catch (error) {
        throw brokenPromise(name, error);
      }
    },
  };
}

/** What a suite throws; anything else comes from the store. */
class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** The same failure with a prefix. What the store threw is the cause, so that its stack is not lost. */
function brokenPromise(prefix: string, error: unknown): BrokenPromise {
  if (!(error instanceof BrokenPromise)) return new BrokenPromise(`${prefix}: expected no error, found "${messageOf(error)}"`, { cause: error });
  return new BrokenPromise(`${prefix}: ${error.message}`, error.cause === undefined ? {} : { cause: error.cause });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
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
