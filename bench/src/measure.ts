/** One row in the table of figures. */
export interface Figure {
  readonly what: string;
  /** `null`: not measured. */
  readonly value: number | null;
  readonly unit: string;
  /** The required limit, as text. */
  readonly reach: string;
  /** Whether the value is within the limit. */
  readonly holds: boolean;
  /** Why it was not measured. */
  readonly missing?: string;
}

/** The value below which the given share of the samples lies. */
export function percentile(samples: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Checks a response. The time for the check is not measured. Throws a `WrongAnswerError`. */
export type AnswerCheck<Answer> = (answer: Answer, index: number) => void;

/** Milliseconds for each of `count` calls, one after another. Every response is checked. */
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

/** The same after a warm-up of a tenth of the calls, so that no query is measured the first time that it runs. */
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

/** A row that this run could not measure. It counts as missed, so that the run ends with an error. */
export function notMeasured(what: string, missing: string, reach: string): Figure {
  return { what, value: null, unit: '', reach, holds: false, missing };
}
