import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MAIN = join(__dirname, '..', '..', 'dist', 'main.js');
const LONGEST_MS = 15_000;
/** As much as helps when a test fails. */
const LAST_LINES = 20;

/** The built server as a process of its own. */
export class ServerProcess {
  readonly #child: ChildProcess;
  #out = '';
  #err = '';

  /** @param descriptors how many the process may have open; by default as many as this one */
  constructor(
    configuration: string,
    uri: string,
    args: readonly string[] = [],
    nodeArgs: readonly string[] = [],
    { descriptors, more = {} }: { readonly descriptors?: number | undefined; readonly more?: Readonly<Record<string, string>> } = {},
  ) {
    const env = { PATH: process.env['PATH'], VITRINE_CONFIG: configuration, MONGODB_URI: uri, PORT: '0', ...more };
    const command = [process.execPath, ...nodeArgs, MAIN, ...args];
    const limited = descriptors === undefined ? command : ['sh', '-c', `ulimit -n ${String(descriptors)}; exec "$0" "$@"`, ...command];
    this.#child = spawn(limited[0] ?? '', limited.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout?.on('data', (data: Buffer) => (this.#out += data.toString()));
    this.#child.stderr?.on('data', (data: Buffer) => (this.#err += data.toString()));
  }

  /** How many descriptors it has open. Only Linux tells. */
  get descriptors(): number {
    return readdirSync(`/proc/${String(this.#child.pid)}/fd`).length;
  }

  /** The most bytes that it ever had in memory. Only Linux tells. */
  get peakBytes(): number {
    const status = readFileSync(`/proc/${String(this.#child.pid)}/status`, 'utf8');
    return 1_024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]);
  }

  /** What people are told. */
  get out(): string {
    return this.#out;
  }

  /** The log, and why it did not start. */
  get err(): string {
    return this.#err;
  }

  /** Everything it wrote. */
  get text(): string {
    return this.#out + this.#err;
  }

  /** Where it listens, as soon as it does. */
  async origin(): Promise<string> {
    await this.eventually('listen', () => this.#out.includes('everything else'));
    return String(/http:\S+/.exec(this.#out)?.[0]);
  }

  /** One answer of the API, as soon as it listens. */
  async get(path: string): Promise<{ readonly status: number; readonly body: unknown }> {
    const response = await fetch(`${await this.origin()}${path}`);
    const text = await response.text();
    return { status: response.status, body: response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text };
  }

  async eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    for (const end = Date.now() + LONGEST_MS; Date.now() < end; await sleep(50)) if (await holds()) return;
    throw new Error(`it did not ${what}:\n${this.text.split('\n').slice(-LAST_LINES).join('\n')}`);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Asks it to end. Resolves with its exit code; `null` when it had to be killed. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.kill('SIGTERM'))
      await Promise.race([once(this.#child, 'exit'), sleep(LONGEST_MS, undefined, { ref: false })]);
    this.kill();
    return this.#child.exitCode;
  }

  /** As a machine that loses power. */
  kill(): void {
    if (this.#child.exitCode === null) this.#child.kill('SIGKILL');
  }

  /** Resolves with the exit code when it has ended by itself. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }
}
