import { MINUTE, SECOND } from '@vitrine/core';
import type { DestinationStream, Logger } from 'pino';
import type { Config } from '@vitrine/config';
import type { CollectorHealth } from '../../serving/server.js';
import { loggedError } from '../logging.js';

export interface CollectorProcess {
  tell(message: ToCollector): void;
  /** Resolves with the reason when the process has ended. Never rejects. */
  readonly ended: Promise<string>;
  kill(): void;
}

/** Starts a process that collects. @param hear called with each of its messages */
export type LaunchCollector = (hear: (message: FromCollector) => void) => CollectorProcess;

export interface CollectorOptions {
  readonly launch: LaunchCollector;
  /** The first message to a new process. If this rejects, the start is repeated later. */
  readonly assignment: () => Promise<Assignment>;
  readonly logger: Logger;
  readonly logs: DestinationStream;
  readonly print: (line: string) => void;
}

const FIRST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = MINUTE;
/** A process that ran for this long did not die because of how it started. */
const STEADY_MS = MINUTE;
const STOP_MS = 12 * SECOND;

/** Runs a process beside the server that collects. If the process dies, the next one starts after a pause, which doubles while they die early. */
export class Collector implements CollectorHealth {
  state: CollectorHealth['state'] = 'starting';
  isWritable = true;
  readonly #stopping = new AbortController();
  readonly #over: Promise<void>;
  #process: CollectorProcess | null = null;
  #endPause: () => void = () => undefined;

  constructor(private readonly options: CollectorOptions) {
    this.#over = this.#run();
  }

  /** Stops the process, and resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#endPause();
    this.#process?.tell({ stop: true });
    const deadline = setTimeout(() => this.#process?.kill(), STOP_MS);
    await this.#over;
    clearTimeout(deadline);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let deaths = 1; ; deaths++) {
      const startedAt = performance.now();
      const reason = await this.#runOnce();
      if (signal.aborted) return;
      if (performance.now() - startedAt > STEADY_MS) deaths = 1;
      this.state = 'restarting';
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (deaths - 1));
      this.options.logger.warn({ reason, pauseMs }, 'the collector has ended; everything is served, and it is started again after a pause');
      await this.#pause(pauseMs);
      if (this.#isStopping()) return;
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#endPause = resolve;
      timer = setTimeout(resolve, milliseconds);
    });
    clearTimeout(timer);
  }

  /** Resolves with the reason when a process has ended. */
  #runOnce(): Promise<string> {
    const started = this.options.launch((message) => this.#hear(message));
    this.#process = started;
    this.isWritable = true;
    void this.#assign(started);
    return started.ended;
  }

  async #assign(started: CollectorProcess): Promise<void> {
    const { assignment, logger } = this.options;
    try {
      const told = await assignment();
      if (!this.#isStopping()) started.tell({ assignment: told });
    } catch (error) {
      logger.warn(loggedError(error), 'the collector cannot be started');
      started.kill();
    }
  }

  #hear(message: FromCollector): void {
    const { logs, print } = this.options;
    if ('log' in message) for (const line of message.log.split(/(?<=\n)/)) logs.write(line);
    else if ('line' in message) print(message.line);
    else if ('isWritable' in message) this.isWritable = message.isWritable;
    else this.state = 'running';
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }
}

export interface Assignment {
  /** The configuration of the server, with the allowlist, the sources and the services of the moment. */
  readonly config: Config;
  /** The folder of the embedded store, which the server has created and migrated; `null` for a database. */
  readonly folder: string | null;
  /** The address that the server listens on, such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** The name of the holder of the lease. All collectors of a server have the same, so that the next one continues the lease of one that died. */
  readonly holder: string;
  /** Whether it runs sources. If not, it only keeps search in line with the allowlist. */
  readonly collects: boolean;
}

/** What a server sends to its collector. No records. */
export type ToCollector = { readonly assignment: Assignment } | { readonly stop: true };

/** What a collector sends to its server. No records. */
export type FromCollector =
  | { readonly hasBegun: true }
  /** One or more lines for the log, each with its line end. */
  | { readonly log: string }
  | { readonly line: string }
  /** Whether the last write found a disk that can be written. */
  | { readonly isWritable: boolean };
