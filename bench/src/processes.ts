import { execFile, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, until } from '@vitrine/test-support';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly scripts: { readonly start: string } };
/** The options with which `npm start` runs Node. */
const NODE_OPTIONS = scripts.start.split(' ').filter((word) => word.startsWith('--'));
const TICKS_PER_SECOND = 100;

/** A process that is measured: its own memory, and code that nothing else has compiled or optimized. It ends with this process. */
export class Measured {
  readonly pid: number;

  constructor(private readonly child: ChildProcess) {
    this.pid = Number(child.pid);
    const stop = this.stop.bind(this);
    process.once('exit', stop);
    child.once('exit', () => process.off('exit', stop));
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }

  /** Bytes of memory that the process holds now. */
  residentBytes(): number {
    return kilobytesOf(this.pid, 'status', /VmRSS:\s+(\d+)/u) * 1_024;
  }

  /** Files and connections that the process has open now. */
  descriptors(): number {
    return readdirSync(`/proc/${String(this.pid)}/fd`).length;
  }

  /** The number of the first process that it has started, such as the collector of a server; `null` while there is none. */
  childPid(): number | null {
    return this.#family()[1] ?? null;
  }

  /** Bytes of memory that the process and its children hold now. What they share counts once (PSS). */
  memoryBytes(): number {
    return sum(this.#family().map((pid) => kilobytesOf(pid, 'smaps_rollup', /^Pss:\s+(\d+)/mu))) * 1_024;
  }

  /** Seconds of processor time that the process and its children have used. */
  cpuSeconds(): number {
    return sum(this.#family().map(ticksOf)) / TICKS_PER_SECOND;
  }

  #family(): readonly number[] {
    const children = readOf(this.pid, `task/${String(this.pid)}/children`).trim();
    return [this.pid, ...(children === '' ? [] : children.split(' ').map(Number))];
  }
}

const readOf = (pid: number, name: string): string => readFileSync(`/proc/${String(pid)}/${name}`, 'utf8');
const kilobytesOf = (pid: number, file: string, pattern: RegExp): number => Number(pattern.exec(readOf(pid, file))?.[1]);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Processor time of a process, without its own children. The name in parentheses may hold spaces. */
function ticksOf(pid: number): number {
  const fields = readOf(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

export interface Started<Message> {
  readonly message: Message;
  readonly process: Measured;
}

/** Starts a module of this folder in its own process, and waits for the message that it sends with `answerParent`. Throws if it exits before. */
export async function startModule<Message>(module: string, args: readonly string[], execArgv: string[] = []): Promise<Started<Message>> {
  // Only the table of figures goes to the standard output.
  const child = fork(new URL(module, import.meta.url), [...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv });
  const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
    throw new Error(`${module} ended before it sent a message: ${String(signal ?? code)}`);
  });
  // Both processes run the same build, so the type is correct.
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [Message];
  return { message, process: new Measured(child) };
}

/** Sends the one message to the process that called `startModule`. This process then exits, with all that it has started, or stays until the other exits. */
export function answerParent(message: unknown, { stays = false } = {}): void {
  if (process.send === undefined) throw new Error('This module is started by a benchmark. Run "npm run bench".');
  process.send(message, () => {
    if (!stays) process.exit();
    process.once('disconnect', () => process.exit());
  });
}

export interface Served {
  readonly url: string;
  readonly process: Measured;
}

/** Starts a module of this folder that serves on a free port and sends the port, with the options for Node of `npm start`. */
export async function serveModule(module: string, args: readonly string[]): Promise<Served> {
  const { message, process } = await startModule<{ readonly port: number }>(module, args, NODE_OPTIONS);
  return { url: `http://127.0.0.1:${String(message.port)}`, process };
}

/** The store of a server, and the repositories that it shows. */
export interface VitrineOptions {
  /** The path of the configuration file; `null`: the server serves its demonstration data. */
  readonly config: string | null;
  /** The file to which the request log is written. Without it, nothing is logged. */
  readonly log?: string;
  readonly mongoUri?: string;
  /** `false`: does not wait until the server is ready. */
  readonly waits?: boolean;
}

/** Runs the built command `vitrine`. @returns what it has printed, and how many seconds it took */
export async function runVitrine(config: string, args: readonly string[]) {
  const env = { ...process.env, VITRINE_CONFIG: config, MONGODB_URI: '' };
  const start = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'apps/collector/dist/main.js'), ...args], { env });
  return { stdout, seconds: (performance.now() - start) / 1_000 };
}

/** Starts the built server as `npm start` does. */
export async function serveVitrine({ config, log, mongoUri = '', waits = true }: VitrineOptions): Promise<Served> {
  const port = await freePort();
  const level = { LOG_LEVEL: log === undefined ? 'silent' : 'info' };
  const main = join(root, 'apps/http/dist/main.js');
  const child = spawn(process.execPath, [...NODE_OPTIONS, main, ...(config === null ? ['--demo'] : [])], {
    cwd: root,
    env: { ...process.env, MONGODB_URI: mongoUri, VITRINE_CONFIG: config ?? '', PORT: String(port), ...level },
    stdio: ['ignore', 'ignore', log === undefined ? 'ignore' : openSync(log, 'a')],
  });
  const url = `http://127.0.0.1:${String(port)}`;
  const isReady = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`The server ended with exit code ${String(child.exitCode)} before it was ready.`);
    return (await fetch(`${url}/readyz`).catch(() => null))?.ok === true;
  };
  const served = { url, process: new Measured(child) };
  if (waits) await until(isReady, () => `the server at ${url} is ready`);
  return served;
}
