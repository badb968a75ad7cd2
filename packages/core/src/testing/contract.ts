import { compareText } from '../kinds/page.js';
import type { ReadContext } from '../ports/readers.js';
import type { Clock, RecordStore } from '../ports/store.js';

/** A test case for one promise of a port, as data for any test runner. `run` rejects with an error that says what is wrong. */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Opens an empty store that uses the given clock. Search must be ready when the promise resolves. */
export type OpenStore = (clock: Clock) => Promise<RecordStore>;

export interface ContractOptions {
  readonly open: OpenStore;
  /** The context of calls that no case aborts. Its signal must never abort. */
  readonly context: ReadContext;
  /** The first seed of the random cases. */
  readonly seed: number;
  /** The number of runs of each random case. */
  readonly runs: number;
}

/** A clock that does not advance by itself. `set` lets time pass; `jump` changes only the system clock. */
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

  /** Changes the time of the system clock although no time has passed. */
  jump(now: number): void {
    this.#now = now;
  }
}

/** Fails unless both values are equal as JSON. The order of fields does not matter, and an `undefined` field equals an absent one. */
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

/** All items of an iteration. */
export async function allOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The items as sorted texts: stores return them in any order, and build their fields in any order. */
export function sortedJson(items: readonly unknown[]): readonly string[] {
  return items.map((item) => canonicalJson(item) ?? '').sort(compareText);
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

/** Runs a random case with several seeds. A failure names its seed, so that you can repeat that run alone. */
export async function withSeeds({ seed, runs }: Pick<ContractOptions, 'seed' | 'runs'>, run: (seed: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < runs; index++) {
    try {
      await run(seed + index);
    } catch (error) {
      throw brokenPromise(`seed ${String(seed + index)}`, error);
    }
  }
}

/** A case whose error messages start with its name, for test runners that print only the message. */
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

/** The error that a suite throws itself. All other errors come from the store. */
class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** The failure with a prefix. An error of the store becomes the cause, so that its stack is kept. */
function brokenPromise(prefix: string, error: unknown): BrokenPromise {
  if (!(error instanceof BrokenPromise)) return new BrokenPromise(`${prefix}: expected no error, found "${messageOf(error)}"`, { cause: error });
  return new BrokenPromise(`${prefix}: ${error.message}`, error.cause === undefined ? {} : { cause: error.cause });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Opens a new store for a case, runs the case, and closes the store. */
export async function withStore({ open }: ContractOptions, clock: Clock, use: (store: RecordStore) => Promise<void>): Promise<void> {
  const store = await open(clock);
  try {
    await use(store);
  } finally {
    await store.close();
  }
}
