/** A row of the table of figures. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The bound, in words. */
  readonly reach: string;
  /** Whether the value keeps the bound. */
  readonly holds: boolean;
}

/** The value below which a share of the samples lies. */
export function percentile(samples: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** How a benchmark judges an answer, outside the time it measures. Throws a `WrongAnswerError`. */
export type AnswerCheck<Answer> = (answer: Answer, index: number) => void;

/** Milliseconds of each of `count` calls, one after another. Every answer is checked. */
export async function timeOnce<Answer>(
  count: number,
  call: (index: number) => Answer | Promise<Answer>,
  check: AnswerCheck<Answer>,
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

/** The same after a tenth of the calls as warm-up, so never the first time that a query is asked. */
export async function timeEach<Answer>(
  count: number,
  call: (index: number) => Answer | Promise<Answer>,
  check: AnswerCheck<Answer>,
): Promise<number[]> {
  await timeOnce(Math.ceil(count / 10), call, check);
  return timeOnce(count, call, check);
}

export function atMost(what: string, value: number, unit: string, bound: number): Figure {
  return { what, value, unit, reach: `at most ${String(bound)} ${unit}`, holds: value <= bound };
}

export function atLeast(what: string, value: number, unit: string, bound: number): Figure {
  return { what, value, unit, reach: `at least ${String(bound)} ${unit}`, holds: value >= bound };
}
