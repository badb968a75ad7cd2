import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder } from './data-folder.ts';
import { freePort } from './free-port.ts';
import { endWithUs } from './watchdog.ts';

const READY = '"msg":"Waiting for connections"';
/** Without this setting, the journal takes 300 MB, even if little is stored. */
const SMALL_JOURNAL = 'log=(prealloc=false,file_max=64MB)';
/** No data for diagnosis. No deletion of old documents: the records of tests are of a fixed time, so one day all are old. */
const LESS_WORK = ['diagnosticDataCollectionEnabled=false', 'ttlMonitorEnabled=false'].flatMap((parameter) => ['--setParameter', parameter]);
const START_MS = 30_000;
const PORTS_TRIED = 3;

interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly callOff: () => void;
}

/** Our own mongod on loopback, with a new data folder. It ends at the latest when this process ends. */
export class MongodProcess {
  readonly port: number;
  readonly #binary: string;
  readonly #folder: string;
  readonly #extra: readonly string[];
  #running: Running | null = null;

  private constructor(binary: string, folder: string, port: number, extra: readonly string[]) {
    this.#binary = binary;
    this.#folder = folder;
    this.port = port;
    this.#extra = extra;
  }

  /**
   * @param extra more arguments of mongod
   * @throws Error with the end of its log if it does not start
   */
  static async start(binary: string, extra: readonly string[] = []): Promise<MongodProcess> {
    for (let tries = 1; ; tries += 1) {
      const folder = await dataFolder();
      const server = new MongodProcess(binary, folder, await freePort(), extra);
      try {
        await server.restart();
        return server;
      } catch (error) {
        await server.stop();
        const taken = error instanceof Error && error.message.includes('Address already in use');
        if (!taken || tries === PORTS_TRIED) throw error;
      }
    }
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** A connection string for this single server, even if it belongs to a replica set. */
  get uri(): string {
    return `mongodb://${this.address}/?directConnection=true`;
  }

  /** Starts it again after a kill, with the same data and port. */
  async restart(): Promise<void> {
    const logBefore = (await this.#log()).length;
    const child = spawn(this.#binary, this.#arguments(), { stdio: 'ignore' });
    const failed = once(child, 'error').then(([error]: unknown[]) => Promise.reject(error as Error));
    failed.catch(() => undefined);
    if (child.pid === undefined) return failed;
    this.#running = { child, pid: child.pid, callOff: endWithUs(child.pid, this.#folder) };
    child.unref();
    await this.#untilReady(child, logBefore);
  }

  /** Kills the process, as a power failure would. Resolves when the process has ended. */
  async kill(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    running.callOff();
    if (running.child.exitCode !== null || running.child.signalCode !== null) return;
    running.child.ref();
    const exit = once(running.child, 'exit');
    running.child.kill('SIGKILL');
    await exit;
  }

  /** Freezes the process: connections stay open, and nothing responds. */
  pause(): void {
    this.#running?.child.kill('SIGSTOP');
  }

  resume(): void {
    this.#running?.child.kill('SIGCONT');
  }

  /** Ends the process and removes its data. */
  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #arguments(): string[] {
    const place = ['--dbpath', this.#folder, '--logpath', this.#logFile(), '--logappend', '--wiredTigerEngineConfigString', SMALL_JOURNAL];
    const network = ['--port', String(this.port), '--bind_ip', '127.0.0.1', '--nounixsocket'];
    return [...place, ...network, '--wiredTigerCacheSizeGB', '0.25', ...LESS_WORK, ...this.#extra];
  }

  async #untilReady(child: ChildProcess, logBefore: number): Promise<void> {
    const end = Date.now() + START_MS;
    while (Date.now() < end) {
      const log = (await this.#log()).slice(logBefore);
      if (log.includes(READY)) return;
      if (child.exitCode !== null || child.signalCode !== null) break;
      await sleep(20);
    }
    const lines = (await this.#log()).trimEnd().split('\n');
    throw new Error(`mongod did not come up (exit code ${String(child.exitCode)})\n${lines.slice(-10).join('\n')}`);
  }

  #logFile(): string {
    return join(this.#folder, 'mongod.log');
  }

  #log(): Promise<string> {
    return readFile(this.#logFile(), 'utf8').catch(() => '');
  }
}
