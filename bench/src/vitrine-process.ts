import { spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@vitrine/test-support';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'apps', 'http', 'dist', 'main.js');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly scripts: { readonly start: string } };
/** The options with which `npm start` runs Node. */
const NODE_OPTIONS = scripts.start.split(' ').filter((word) => word.startsWith('--'));
const LONGEST_MS = 60_000;

export interface VitrineOptions {
  /** The path of the configuration file; `null`: the server serves its demonstration data. */
  readonly config: string | null;
  /** The file to which the request log is written. Without it, nothing is logged. */
  readonly log?: string;
  readonly mongoUri?: string;
}

/** The server as `npm start` runs it, in its own process. */
export interface VitrineProcess {
  readonly url: string;
  /** Bytes of memory that the server holds now. */
  readonly residentBytes: () => number;
  /** Bytes of memory that the server and its collector hold now. What both share counts once (PSS). */
  readonly memoryBytes: () => number;
  /** Seconds of processor time that the server and its collector have used. */
  readonly cpuSeconds: () => number;
  /** Files and connections that the server has open now. */
  readonly descriptors: () => number;
  /** The number of the process that collects for the server; `null` while there is none. */
  readonly collectorPid: () => number | null;
  /** Resolves when the server is ready. Rejects after a minute. */
  readonly ready: () => Promise<void>;
  /** Ends the process without waiting for it. */
  readonly stop: () => void;
}

/** Starts the built server. It does not answer yet when this resolves. */
export async function spawnVitrine({ config, log, mongoUri = '' }: VitrineOptions): Promise<VitrineProcess> {
  const port = await freePort();
  const level = log === undefined ? { LOG_LEVEL: 'silent' } : { LOG_LEVEL: 'info' };
  const env = { ...process.env, MONGODB_URI: mongoUri, VITRINE_CONFIG: config ?? '', PORT: String(port), ...level };
  const child = spawn(process.execPath, [...NODE_OPTIONS, main, ...(config === null ? ['--demo'] : [])], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', log === undefined ? 'ignore' : openSync(log, 'a')],
  });
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  child.once('exit', () => process.off('exit', stop));
  const url = `http://127.0.0.1:${String(port)}`;
  const server = Number(child.pid);
  const collectorPid = (): number | null => childrenOf(server)[0] ?? null;
  const both = (): readonly number[] => [server, ...childrenOf(server)];
  return {
    url,
    residentBytes: () => residentBytesOf(server),
    memoryBytes: () => sum(both().map((pid) => kilobytesOf(pid, 'smaps_rollup', /^Pss:\s+(\d+)/mu))) * 1_024,
    cpuSeconds: () => sum(both().map(ticksOf)) / TICKS_PER_SECOND,
    descriptors: () => readdirSync(`/proc/${String(server)}/fd`).length,
    collectorPid,
    ready: () => untilReady(`${url}/readyz`, () => child.exitCode),
    stop,
  };
}

const TICKS_PER_SECOND = 100;

const readOf = (pid: number, name: string): string => readFileSync(`/proc/${String(pid)}/${name}`, 'utf8');
const kilobytesOf = (pid: number, file: string, pattern: RegExp): number => Number(pattern.exec(readOf(pid, file))?.[1]);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Bytes of memory that a process holds now. */
export const residentBytesOf = (pid: number): number => kilobytesOf(pid, 'status', /VmRSS:\s+(\d+)/u) * 1_024;

function childrenOf(pid: number): readonly number[] {
  return readOf(pid, `task/${String(pid)}/children`)
    .split(' ')
    .flatMap((child) => (child.trim() === '' ? [] : [Number(child)]));
}

/** Processor time of a process, without its own children. The name in parentheses may hold spaces. */
function ticksOf(pid: number): number {
  const fields = readOf(pid, 'stat')
    .replace(/^.*\) /su, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

async function untilReady(url: string, exitCode: () => number | null): Promise<void> {
  const start = performance.now();
  while (performance.now() - start < LONGEST_MS) {
    if (exitCode() !== null) throw new Error(`The server ended with exit code ${String(exitCode())} before it was ready.`);
    const response = await fetch(url).catch(() => null);
    if (response?.ok === true) return;
    await sleep(50);
  }
  throw new Error(`The server was not ready after ${String(LONGEST_MS / 1_000)} s: ${url}`);
}
