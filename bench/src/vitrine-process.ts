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
  /** Bytes of memory that the process holds now. */
  readonly residentBytes: () => number;
  /** Files and connections that the process has open now. */
  readonly descriptors: () => number;
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
  const ofProcess = (name: string) => `/proc/${String(child.pid)}/${name}`;
  return {
    url,
    residentBytes: () => Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(ofProcess('status'), 'utf8'))?.[1]) * 1_024,
    descriptors: () => readdirSync(ofProcess('fd')).length,
    ready: () => untilReady(`${url}/readyz`, () => child.exitCode),
    stop,
  };
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
