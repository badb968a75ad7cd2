import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '@vitrine/core';
import type { Logger } from 'pino';
import { loggedError } from '../logged-error.js';

/** The right to collect into a store. */
interface HeldLease {
  /** Aborts when another process may have the right. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

interface Waiting {
  /** What this process is called where others wait for it. */
  readonly holder: string;
  readonly signal: AbortSignal;
  /** Called once if another process has the lease, with the name of that process. */
  readonly onWaiting: (holder: string) => void;
}

/** A store into which one process collects at a time. */
export interface SharedStore<Lease extends HeldLease> {
  /** The kind of store, for messages. */
  readonly what: 'database' | 'data folder';
  /** Waits until the store is there and its lease is free, and takes the lease. */
  acquire(waiting: Waiting): Promise<Lease>;
  /** Called at the start of each turn, before anything is collected. */
  prepare(): Promise<void>;
  /** The error that explains a failure to a person. */
  problemOf(error: unknown): unknown;
}

/** Something that runs until it is stopped. */
export interface Collecting {
  stop(): Promise<void>;
}

export interface CollectingInTurnOptions<Lease extends HeldLease> {
  readonly store: SharedStore<Lease>;
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
export class CollectingInTurn<Lease extends HeldLease> implements Collecting {
  readonly #options: CollectingInTurnOptions<Lease>;
  readonly #stopping = new AbortController();
  readonly #turns: Promise<void>;
  #problem = '';

  constructor(options: CollectingInTurnOptions<Lease>) {
    this.#options = options;
    this.#turns = this.#run();
  }

  /** Stops the sources and releases the lease. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#turns;
  }

  async #run(): Promise<void> {
    const { store, holder, print } = this.#options;
    const { signal } = this.#stopping;
    const onWaiting = (other: string): void => {
      print(`${other} collects into this ${store.what}; this process serves, and waits for its turn.`);
    };
    while (!this.#isStopping()) {
      try {
        await this.#collect(await store.acquire({ holder, signal, onWaiting }));
      } catch (error) {
        if (this.#isStopping()) return;
        this.#tell(error);
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #collect(lease: Lease): Promise<void> {
    const { store, begin, logger } = this.#options;
    const ending = AbortSignal.any([this.#stopping.signal, lease.lost]);
    try {
      await unlessAborted(store.prepare(), ending);
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
    const { store, logger } = this.#options;
    const known = store.problemOf(error);
    const problem = String(known);
    if (problem !== this.#problem) logger.error(loggedError(known), 'nothing can be collected; --no-collect serves only');
    this.#problem = problem;
  }
}

export async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  await Promise.race([promise, once(signal, 'abort')]);
  signal.throwIfAborted();
}
