import { execFile, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mustBe } from './measure.js';

const SCRIPT = fileURLToPath(new URL('../wrk/report.lua', import.meta.url));
/** The sizes of answers differ by a few bytes, such as those of a request id, and the last answers of a run are incomplete. */
const TOLERANCE = 0.01;

export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many connections stay open; 16 by default. Requests of several connections for the same answer are computed once. */
  readonly connections?: number;
  /** Whole seconds, because wrk knows no parts of them. */
  readonly seconds: number;
  /** The size of one answer with its headers. It tells a right answer from others without work for the load generator. */
  readonly answerBytes: number;
  /** With it, no request is repeated: the parameter `from` of the n-th request is n seconds before this time, in milliseconds. */
  readonly before?: number;
}

interface Report {
  readonly requests: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly failed: Readonly<Record<string, number>>;
}

export function requireWrk(program = 'wrk'): void {
  // wrk prints its version, and exits with 1.
  if (spawnSync(program, ['-v']).error === undefined) return;
  throw new Error(
    'This benchmark needs the load generator wrk. Install it with "apt-get install wrk" (Debian, Ubuntu) or "brew install wrk" (macOS).',
  );
}

/** The requests per second that a server answers over open connections. Throws if a request fails, or if the answers do not have the expected size. */
export async function requestsPerSecond({ url, headers = {}, connections = 16, seconds, answerBytes, before }: Load): Promise<number> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const varied = before === undefined ? [] : ['--', String(Math.floor(before / 1_000))];
  const args = ['-t1', `-c${String(connections)}`, `-d${String(seconds)}`, ...given, '-s', SCRIPT, url, ...varied];
  const [command = '', ...rest] = [...onLastCore(), 'wrk', ...args];
  const { stdout } = await promisify(execFile)(command, rest);
  return rateOf({ url, answerBytes }, JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report);
}

/** It compares only sizes, because wrk has no time to read the answers: benchmarks read some before and after. */
export function rateOf({ url, answerBytes }: Pick<Load, 'url' | 'answerBytes'>, { requests, bytes, seconds, failed }: Report): number {
  mustBe(`load at ${url}: failed requests`, Object.fromEntries(Object.entries(failed).filter(([, count]) => count > 0)), {});
  const isExpected = Math.abs(bytes / requests / answerBytes - 1) <= TOLERANCE;
  mustBe(`load at ${url}: bytes of an answer`, isExpected ? answerBytes : bytes / requests, answerBytes);
  return requests / seconds;
}

/** Keeps the load generator on one core, if that is possible, so that it does not move to the core of the server. */
function onLastCore(): readonly string[] {
  const cores = availableParallelism();
  const canPin = cores > 1 && spawnSync('taskset', ['--version']).error === undefined;
  return canPin ? ['taskset', '-c', String(cores - 1)] : [];
}
