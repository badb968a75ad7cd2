import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Figure {
  readonly what: string;
  /** `null`: not measured. */
  readonly value: number | null;
  readonly unit: string;
  readonly reach: string;
  /** Whether the value is within the limit. A row that could not be measured counts as missed, so that the run ends with an error. */
  readonly holds: boolean;
  readonly missing?: string;
}

export function atMost(what: string, value: number, unit: string, bound: number): Figure {
  return { what, value, unit, reach: `at most ${String(bound)} ${unit}`, holds: value <= bound };
}

export function atLeast(what: string, value: number, unit: string, bound: number): Figure {
  return { what, value, unit, reach: `at least ${String(bound)} ${unit}`, holds: value >= bound };
}

/** The number of commits in a large store. A smaller one shows quickly whether a benchmark works, but its figures are not those of the page. */
export const COMMITS = Number(process.env['BENCH_COMMITS'] ?? 1_000_000);
export const SIZE = COMMITS.toLocaleString('en');

/** The value below which the given share of the samples lies. */
export function percentile(samples: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Milliseconds for each of `count` calls, one after another. Every response is checked, and the time for the check is not measured. */
export async function timeOnce<Answer>(
  count: number,
  call: (index: number) => Answer | Promise<Answer>,
  check: (answer: Answer, index: number) => void,
): Promise<number[]> {
  const samples = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    const answer = await call(index);
    samples.push(performance.now() - start);
    check(answer, index);
  }
  return samples;
}

/** The same after a warm-up of a tenth of the calls, so that no query is measured the first time that it runs. */
export async function timeEach<Answer>(
  count: number,
  call: (index: number) => Answer | Promise<Answer>,
  check: (answer: Answer, index: number) => void,
): Promise<number[]> {
  await timeOnce(Math.ceil(count / 10), call, check);
  return timeOnce(count, call, check);
}

/** Measures each contestant once in every round, so that a slow moment of the machine affects all of them. The first round warms up. */
export class Contest<Name extends string> {
  readonly #samples = new Map<Name, number[]>();

  /** More contestants of the same name can follow, for example in new processes. */
  async run(contestants: Readonly<Record<Name, () => Promise<number>>>, rounds: number): Promise<this> {
    const entries = Object.entries(contestants) as [Name, () => Promise<number>][];
    for (let round = 0; round <= rounds; round++)
      for (const [name, measure] of entries) {
        const sample = await measure();
        if (round > 0) this.#samples.set(name, [...(this.#samples.get(name) ?? []), sample]);
      }
    return this;
  }

  /** Of the medians. */
  ratio(name: Name, against: Name): number {
    const [median, other] = [name, against].map((one) => percentile(this.#samples.get(one) ?? [], 0.5));
    return Number(median) / Number(other);
  }
}

/** Ends the run if a response does not match the stored data: its figures are worthless. */
export function mustBe(question: string, answered: unknown, stored: unknown): void {
  if (isDeepStrictEqual(answered, stored)) return;
  throw new Error(`Wrong answer: ${question}.\n  stored:   ${shortened(stored)}\n  answered: ${shortened(answered)}`);
}

function shortened(value: unknown): string {
  const text = inspect(value, { depth: 5, maxArrayLength: 30, maxStringLength: 200, breakLength: Number.POSITIVE_INFINITY });
  return text.length > 1_500 ? `${text.slice(0, 1_500)} ...` : text;
}

/** The element at an index that is known to exist. */
export function elementOf<Element>(list: readonly Element[], index: number): Element {
  const element = list[index];
  if (element === undefined) throw new RangeError(`There is no element ${String(index)}: the list has ${String(list.length)}.`);
  return element;
}

/** MiB in use after a garbage collection. */
export function megabytesInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

export async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
