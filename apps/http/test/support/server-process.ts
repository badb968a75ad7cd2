import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@vitrine/test-support';

const MAIN = join(__dirname, '..', '..', 'dist', 'main.js');
/** A test never fails because a busy machine starts a process late. */
const LONGEST_MS = 60_000;
/** Enough output to explain a failed test. */
const LAST_LINES = 20;

/** The built server as a separate process. */
export class ServerProcess {
  readonly #child: ChildProcess;
  #out = '';
  #err = '';

  /** @param descriptors the limit of open file descriptors; by default that of this process */
  constructor(
    configuration: string,
    uri: string,
    args: readonly string[] = [],
    nodeArgs: readonly string[] = [],
    { descriptors, more = {} }: { readonly descriptors?: number | undefined; readonly more?: Readonly<Record<string, string>> } = {},
  ) {
    const env = {
      PATH: process.env['PATH'],
      VITRINE_CONFIG: configuration,
      MONGODB_URI: uri,
      PORT: '0',
      XDG_CACHE_HOME: dirname(configuration),
      ...more,
    };
    const command = [process.execPath, ...nodeArgs, MAIN, ...args];
    const limited = descriptors === undefined ? command : ['sh', '-c', `ulimit -n ${String(descriptors)}; exec "$0" "$@"`, ...command];
    this.#child = spawn(limited[0] ?? '', limited.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout?.on('data', (data: Buffer) => (this.#out += data.toString()));
    this.#child.stderr?.on('data', (data: Buffer) => (this.#err += data.toString()));
  }

  /** The number of its open file descriptors. Only on Linux. */
  get descriptors(): number {
    return readdirSync(`/proc/${String(this.#child.pid)}/fd`).length;
  }

  /** The number of the process that collects; `null` while there is none. Only on Linux. */
  get collectorPid(): number | null {
    const pid = String(this.#child.pid);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children === '' ? null : Number(children.split(' ')[0]);
  }

  /** Whether the collector writes to the same pipe as the server. Only on Linux. */
  get sharesLog(): boolean {
    const [own, other] = [this.#child.pid, this.collectorPid].map((pid) => readlinkSync(`/proc/${String(pid)}/fd/2`));
    return own === other;
  }

  /** From now on, what the collector writes beyond this size of a file fails, as if the disk were full. Only on Linux. */
  limitFileSize(bytes: number): void {
    execFileSync('prlimit', [`--pid=${String(this.collectorPid)}`, `--fsize=${String(bytes)}`]);
  }

  /** The peak memory in bytes. Only on Linux. */
  get peakBytes(): number {
    const status = readFileSync(`/proc/${String(this.#child.pid)}/status`, 'utf8');
    return 1_024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]);
  }

  /** Standard output. */
  get out(): string {
    return this.#out;
  }

  /** Standard error: the log, and the reason if it did not start. */
  get err(): string {
    return this.#err;
  }

  /** The whole output. */
  get text(): string {
    return this.#out + this.#err;
  }

  /** The address on which it listens. Waits until it listens. */
  async origin(): Promise<string> {
    await this.eventually('listen', () => this.#out.includes('everything else'));
    return String(/http:[^\s"]+/.exec(this.#out)?.[0]);
  }

  /** One response of the API. Waits until the server listens. */
  async get(path: string): Promise<{ readonly status: number; readonly body: unknown }> {
    const response = await fetch(`${await this.origin()}${path}`);
    const text = await response.text();
    return { status: response.status, body: response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text };
  }

  async eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    await until(holds, () => `${what}:\n${this.text.split('\n').slice(-LAST_LINES).join('\n')}`);
  }

  /** Reads its log no more, and sends requests until the log is longer than a pipe. */
  async fillLog(): Promise<void> {
    const origin = await this.origin();
    this.#child.stderr?.pause();
    const one = async (): Promise<unknown> => (await fetch(`${origin}/readyz`)).text();
    for (let turn = 0; turn < 70; turn++) await Promise.all(Array.from({ length: 10 }, one));
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Sends SIGTERM. Resolves with the exit code; `null` if the process had to be killed. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.kill('SIGTERM'))
      await Promise.race([once(this.#child, 'exit'), sleep(LONGEST_MS, undefined, { ref: false })]);
    this.kill();
    return this.#child.exitCode;
  }

  /** Kills the process, as a power failure would. */
  kill(): void {
    if (this.#child.exitCode === null) this.#child.kill('SIGKILL');
  }

  /** Resolves with the exit code when the process has ended by itself. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }
}
