import { sampled } from '../torture.ts';

/** A family of inputs: it makes one of about this many characters. */
export interface Pattern {
  readonly name: string;
  readonly input: (length: number) => string;
}

/** Twice the input may take this times the CPU. */
const MOST_PER_DOUBLING = 2.5;
/** Shorter times do no harm. Long inputs may take this much more, because the memory of short ones is never collected. */
const NEGLIGIBLE_MS = 100;
/** Other programs disturb the caches of the processor. So a growth counts only if it is found each time. */
const ROUNDS = 4;

/**
 * Throws if the CPU time of a call grows by more than 2.5 times for twice the input, up to this length. CPU time is not the time on the clock: a busy machine does not change
 * the result.
 *
 * @param call it may throw: a refusal is a result
 */
export function requireLinearGrowth(call: (text: string) => unknown, { name, input }: Pattern, length: number): void {
  const [long, short] = [input(length), input(length / 4)];
  const found: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const whole = cpuOf(call, long);
    if (whole <= NEGLIGIBLE_MS) return;
    const quarter = Math.min(cpuOf(call, short), cpuOf(call, short));
    if (whole <= MOST_PER_DOUBLING ** 2 * quarter + NEGLIGIBLE_MS) return;
    found.push(`${quarter.toFixed(1)} ms for ${String(short.length)} characters, ${whole.toFixed(1)} ms for ${String(long.length)}`);
  }
  throw new Error(`${name}: the CPU time grows too fast: ${found.join('; ')}`);
}

function cpuOf(call: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  try {
    call(text);
  } catch {
    // A refusal takes time as well.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The pieces of a language, of which hostile texts are made. */
export interface Language {
  /** What the text begins and ends with; default: nothing. */
  readonly frame?: readonly [before: string, after: string];
  /** Repeated, alone and in pairs. `#` stands for a number that is different each time. */
  readonly pieces: readonly string[];
  /** Nested as deep as the length allows. */
  readonly brackets?: readonly (readonly [open: string, close: string])[];
}

/** Every piece, every pair of pieces, and every nesting with and without its end. */
export function patternsOf({ frame = ['', ''], pieces, brackets = [] }: Language): readonly Pattern[] {
  const [before, after] = frame;
  const framed = (name: string, middle: (length: number) => string): Pattern => ({
    name,
    input: (length) => before + middle(length) + after,
  });
  const pairs = pieces.flatMap((one) => pieces.filter((other) => other !== one).map((other) => one + other));
  return [
    ...[...pieces, ...pairs].map((unit) => framed(`${JSON.stringify(unit)} repeated`, (length) => repeated(unit, length))),
    ...brackets.map(([open, close]) => framed(`${JSON.stringify(open)} nested`, (length) => nested(open, close, length))),
    ...brackets.map(([open, close]) => framed(`${JSON.stringify(open)} never closed`, (length) => nested(open, '', length + close.length))),
  ];
}

function repeated(unit: string, length: number): string {
  if (!unit.includes('#')) return unit.repeat(Math.ceil(length / unit.length));
  const parts: string[] = [];
  for (let size = 0, count = 0; size < length; size += parts.at(-1)?.length ?? 1, count++) parts.push(unit.replaceAll('#', String(count)));
  return parts.join('');
}

function nested(open: string, close: string, length: number): string {
  const times = Math.ceil(length / (open.length + close.length));
  return open.repeat(times) + close.repeat(times);
}

/** All patterns in long runs, else about so many, spread over all. */
export function somePatterns(patterns: readonly Pattern[], count: number): readonly Pattern[] {
  return sampled(patterns, Math.max(1, Math.floor(patterns.length / count)));
}
