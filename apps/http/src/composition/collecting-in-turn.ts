import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLease, prepareToWrite, toMongoStoreError, WRITER, type Lease, type MongoConnection } from '@vitrine/adapters-mongo';
import { SECOND } from '@vitrine/core';
import type { Logger } from 'pino';
import { loggedError } from './logged-error.js';

/** A database that other processes may write to as well. */
export interface SharedDatabase extends Pick<MongoConnection, 'db' | 'connected'> {
  /** For people. */
  readonly hosts: string;
  /** How long raw checks are kept, in milliseconds. */
  readonly retentionMs: number;
}

/** Something that runs until it is stopped. */
export interface Collecting {
  stop(): Promise<void>;
}

export interface CollectingInTurnOptions {
  readonly database: SharedDatabase;
  /** What this process is called where others wait for it. */
  readonly holder: string;
  /** Collects in the turn that the lease stands for, and names it in all it writes. */
  readonly begin: (lease: Lease) => Collecting;
  readonly logger: Logger;
  /** Hears once each time that another process collects, and this one waits. */
  readonly print: (line: string) => void;
}

const PAUSE_MS = 5 * SECOND;

/** Collects while this process has the right to write, and waits for it otherwise: any number of processes can do so, and one of them collects. */
export class CollectingInTurn implements Collecting {
  readonly #options: CollectingInTurnOptions;
  readonly #stopping = new AbortController();
  readonly #turns: Promise<void>;
  #problem = '';

  constructor(options: CollectingInTurnOptions) {
    this.#options = options;
    this.#turns = this.#run();
  }

  /** Ends what runs, and gives the right to write back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#turns;
  }

  async #run(): Promise<void> {
    const { database, holder, print } = this.#options;
    const { signal } = this.#stopping;
    const onWaiting = (other: string): void => {
      print(`${other} collects into this database; this process serves, and waits for its turn.`);
    };
    while (!this.#isStopping()) {
      try {
        await unlessAborted(database.connected, signal);
        await this.#collect(await acquireLease(database.db, { name: WRITER, holder, signal, onWaiting }));
      } catch (error) {
        if (this.#isStopping()) return;
        this.#tell(error);
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #collect(lease: Lease): Promise<void> {
    const { database, begin, logger } = this.#options;
    const ending = AbortSignal.any([this.#stopping.signal, lease.lost]);
    try {
      await unlessAborted(prepareToWrite(database.db, database), ending);
      this.#problem = '';
      const collecting = begin(lease);
      if (!ending.aborted) await once(ending, 'abort');
      await collecting.stop();
    } finally {
      // What cannot be released now ends by itself.
      await lease.release().catch(() => undefined);
    }
    if (lease.lost.aborted) logger.warn('the right to write was lost; nothing is collected until it is this process’s turn again');
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Logs a problem only if it differs from the previous one. */
  #tell(error: unknown): void {
    const { database, logger } = this.#options;
    const known = toMongoStoreError(error, database.hosts) ?? error;
    const problem = String(known);
    if (problem !== this.#problem) logger.error(loggedError(known), 'nothing can be collected; --no-collect serves only');
    this.#problem = problem;
  }
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  await Promise.race([promise, once(signal, 'abort')]);
  signal.throwIfAborted();
}
