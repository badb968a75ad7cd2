import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { SECOND } from '@vitrine/core';
import type { Logger } from 'pino';
import { loggedError } from '../logging.js';
import type { OpenedStore, Turn } from '../opened-store.js';

export interface Collecting {
  stop(): Promise<void>;
}

export interface CollectingInTurnOptions {
  readonly store: Pick<OpenedStore, 'what' | 'connected' | 'acquire' | 'explain'>;
  readonly holder: string;
  readonly begin: (turn: Turn) => Collecting;
  readonly logger: Logger;
  readonly print: (line: string) => void;
}

const PAUSE_MS = 5 * SECOND;

/** Collects while this process has the right to write, and waits for it otherwise: any number of processes can do so, and one of them collects. */
export class CollectingInTurn implements Collecting {
  readonly #stopping = new AbortController();
  readonly #turns: Promise<void>;
  #problem = '';

  constructor(private readonly options: CollectingInTurnOptions) {
    this.#turns = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#turns;
  }

  async #run(): Promise<void> {
    const { store, holder, print } = this.options;
    const { signal } = this.#stopping;
    const onWaiting = (other: string): void => print(`${other} collects into this ${store.what}; this process serves, and waits for its turn.`);
    while (!this.#isStopping()) {
      try {
        await unlessAborted(store.connected, signal);
        await this.#collect(await store.acquire({ holder, signal, onWaiting }));
      } catch (error) {
        if (this.#isStopping()) return;
        this.#tell(error);
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #collect(turn: Turn): Promise<void> {
    const { begin, logger } = this.options;
    const ending = AbortSignal.any([this.#stopping.signal, turn.lost]);
    try {
      await unlessAborted(turn.prepare(), ending);
      if (this.#problem !== '') logger.info('records can be collected again');
      this.#problem = '';
      const collecting = begin(turn);
      if (!ending.aborted) await once(ending, 'abort');
      await collecting.stop();
    } finally {
      // What cannot be released now ends by itself.
      await turn.release().catch(() => undefined);
    }
    if (turn.lost.aborted) logger.warn('the right to write was lost; nothing is collected until it is this process’s turn again');
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Logs a problem only if it differs from the previous one. A folder that cannot be written is logged when its store tells so. */
  #tell(error: unknown): void {
    const { store, logger } = this.options;
    const known = store.explain(error);
    if (known instanceof StoreFolderError && known.preventsWriting) return;
    const problem = String(known);
    if (problem !== this.#problem) logger.error(loggedError(known), 'nothing can be collected; --no-collect serves only');
    this.#problem = problem;
  }
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  await Promise.race([promise, once(signal, 'abort')]);
  signal.throwIfAborted();
}
