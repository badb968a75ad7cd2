import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mustBe } from './wrong-answer.js';

const scripts = new URL('../wrk/', import.meta.url);
const CONNECTIONS = 16;
/** The sizes of answers differ by a few bytes, such as those of a request id, and the last answers of a run are incomplete. */
const TOLERANCE = 0.01;

export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many connections stay open; 16 by default. Requests of several connections for the same answer are computed once. */
  readonly connections?: number;
  /** Whole seconds, because wrk knows no parts of them. */
  readonly seconds: number;
  /** The size of one answer with its headers, or the mean size of the answers. It tells a right answer from others without work for the load generator. */
  readonly answerBytes: number;
}

/** Paths that differ in one value. */
export interface DifferentPages {
  readonly values: readonly string[];
  /** The path before and after the value. */
  readonly before: string;
  readonly after: string;
}

/** The result of a run, as the scripts of wrk print it. */
interface Report {
  readonly requests: number;
  readonly bytes: number;
  readonly seconds: number;
  /** The number of failed requests by the kind of the error. */
  readonly failed: Readonly<Record<string, number>>;
  /** Requests of different pages that were sent. The last ones may have no answer. */
  readonly sent?: number;
}

/** @throws Error if wrk is not installed */
export function requireWrk(program = 'wrk'): void {
  // wrk prints its version, and exits with 1.
  if (spawnSync(program, ['-v']).error !== undefined)
    throw new Error(
      'This benchmark needs the load generator wrk. Install it with "apt-get install wrk" (Debian, Ubuntu) or "brew install wrk" (macOS).',
    );
}

/**
 * The requests per second that a server answers over connections that stay open.
 *
 * @throws WrongAnswerError if a request fails, or if the answers do not have the expected size
 */
export async function requestsPerSecond(load: Load): Promise<number> {
  const report = await run(load, 'report.lua', []);
  return rateOf(load, report);
}

/**
 * The same with a different page for each request.
 *
 * @throws WrongAnswerError also if there were fewer pages than requests
 */
export async function pagesPerSecond(load: Load, { values, before, after }: DifferentPages): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-pages-'));
  try {
    const file = join(folder, 'values.txt');
    await writeFile(file, `${values.join('\n')}\n`);
    const report = await run(load, 'different-pages.lua', ['--', file, before, after]);
    return rateOf(load, report, values.length);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * The requests per second of a report. It compares only sizes, because wrk has no time to read the answers: benchmarks read some before and after.
 *
 * @param pages the number of different pages
 * @throws WrongAnswerError if a request has failed, a page was requested twice, or the answers do not have the expected size
 */
export function rateOf({ url, answerBytes }: Pick<Load, 'url' | 'answerBytes'>, report: Report, pages = Infinity): number {
  const { requests, bytes, seconds, failed, sent = 0 } = report;
  mustBe(`load at ${url}: failed requests`, Object.fromEntries(Object.entries(failed).filter(([, count]) => count > 0)), {});
  mustBe(`load at ${url}: a page was requested twice`, sent > pages, false);
  const isExpected = Math.abs(bytes / requests / answerBytes - 1) <= TOLERANCE;
  mustBe(`load at ${url}: bytes of an answer`, isExpected ? answerBytes : bytes / requests, answerBytes);
  return requests / seconds;
}

async function run({ url, headers = {}, seconds, connections = CONNECTIONS }: Load, script: string, more: readonly string[]): Promise<Report> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = ['-t1', `-c${String(connections)}`, `-d${String(seconds)}`, ...given, '-s', fileURLToPath(new URL(script, scripts)), url, ...more];
  const [command = '', ...rest] = [...onLastCore(), 'wrk', ...args];
  const { stdout } = await promisify(execFile)(command, rest);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report;
}

/** Keeps the load generator on one core, if that is possible, so that it does not move to the core of the server. */
function onLastCore(): readonly string[] {
  const cores = availableParallelism();
  const canPin = cores > 1 && spawnSync('taskset', ['--version']).error === undefined;
  return canPin ? ['taskset', '-c', String(cores - 1)] : [];
}
