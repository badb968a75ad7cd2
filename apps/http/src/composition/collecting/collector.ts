import { MINUTE, SECOND } from '@vitrine/core';
import type { DestinationStream, Logger } from 'pino';
import type { CollectorHealth } from '../../serving/lifecycle.js';
import { loggedError } from '../logged-error.js';
import type { Assignment, FromCollector, ToCollector } from './messages.js';

/** A process that collects for this server. */
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
  /** Takes the lines that the collector logs. */
  readonly logs: DestinationStream;
  /** For people. */
  readonly print: (line: string) => void;
}

const FIRST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = MINUTE;
/** A process that ran for this long did not die because of how it started. */
const STEADY_MS = MINUTE;
/** How long a process may take to stop. */
const STOP_MS = 12 * SECOND;

/** Runs a process beside the server that collects. If the process dies, the next one starts after a pause, which doubles while they die early. */
export class Collector implements CollectorHealth {
  readonly #options: CollectorOptions;
  readonly #stopping = new AbortController();
  readonly #over: Promise<void>;
  #process: CollectorProcess | null = null;
  #state: CollectorHealth['state'] = 'starting';
  #isWritable = true;
  #endPause: () => void = () => undefined;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#over = this.#run();
  }

  get state(): CollectorHealth['state'] {
    return this.#state;
  }

  get isWritable(): boolean {
    return this.#isWritable;
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
      this.#state = 'restarting';
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (deaths - 1));
      this.#options.logger.warn({ reason, pauseMs }, 'the collector has ended; everything is served, and it is started again after a pause');
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
    const started = this.#options.launch((message) => {
      this.#hear(message);
    });
    this.#process = started;
    this.#isWritable = true;
    void this.#assign(started);
    return started.ended;
  }

  async #assign(started: CollectorProcess): Promise<void> {
    const { assignment, logger } = this.#options;
    try {
      const told = await assignment();
      if (!this.#isStopping()) started.tell({ assignment: told });
    } catch (error) {
      logger.warn(loggedError(error), 'the collector cannot be started');
      started.kill();
    }
  }

  #hear(message: FromCollector): void {
    const { logs, print } = this.#options;
    if ('log' in message) for (const line of message.log.split(/(?<=\n)/)) logs.write(line);
    else if ('line' in message) print(message.line);
    else if ('isWritable' in message) this.#isWritable = message.isWritable;
    else this.#state = 'running';
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }
}
