import type { Environment, StoreConfig } from '@vitrine/config';
import { type Logger, pino } from 'pino';
import { ContinuousCollection, describeRun, RunNews, type RunReport, Scheduler, type Source } from '@vitrine/collector';
import { errorForLog, loggedError } from '../logging.js';
import { followConfiguration, type FollowedConfiguration } from '../deployment.js';
import { openLoggedStore } from '../store-log.js';
import type { OpenedStore, Turn } from '../opened-store.js';
import type { Assignment, FromCollector } from './collector.js';
import { systemClock, untilAborted } from '../../serving/computations.js';
import { connectionClients } from '../../serving/client-address.js';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { SECOND } from '@vitrine/core';

/** The server follows the same file and the same store, and logs what changes. */
const UNHEARD = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** What the process beside a server does. Rejects if the store cannot be opened. @param send sends a message to the server */
export async function collectFor(assignment: Assignment, env: Environment, send: (message: FromCollector) => void): Promise<Collecting> {
  const { config, collects } = assignment;
  const destination = {
    write: (log: string) => send({ log }),
  };
  const logger = pino({ level: config.logLevel, base: { process: 'collector' }, serializers: { err: errorForLog } }, destination);
  const print = (line: string): void => send({ line });
  const follow = followConfiguration(config, env, UNHEARD);
  const onWritable = (isWritable: boolean): void => send({ isWritable });
  // The server has created the folder. If it is gone now, a new one would be a second store beside the one that is served.
  const store = await openLoggedStore(storeOf(assignment), { clock: systemClock, logger, mustExist: true, onWritable });
  const followed = follow({ readers: store.readers });
  followed.start();
  const collecting = (collects ? startCollecting : followAllowlist)({ assignment, store, followed, logger, env, print });
  send({ hasBegun: true });
  return {
    stop: async () => {
      followed.stop();
      await collecting?.stop();
      await store.close();
    },
  };
}

function storeOf({ config: { store }, folder }: Assignment): StoreConfig {
  if (store.kind === 'mongodb') return store;
  if (folder === null) throw new TypeError('An embedded store needs a folder.');
  return { ...store, path: folder };
}

interface CollectingOptions {
  readonly assignment: Assignment;
  readonly store: OpenedStore;
  readonly followed: FollowedConfiguration;
  readonly logger: Logger;
  readonly env: Environment;
  readonly print: (line: string) => void;
}

function startCollecting({ store, assignment: { config, origin, holder }, followed, logger, env, print }: CollectingOptions): Collecting {
  const log = new SourceLog(logger, print);
  const { collected, stored, approved: permission } = followed;
  const collection = new ContinuousCollection({
    ...{ config, env, clock: systemClock, collected, stored, permission, log: logger, origin: () => origin },
    clientOf: connectionClients(config.server.trustProxy),
    onListening: (address) => print(`Heartbeats are received on ${address}/heartbeat/<token>`),
    onReport: log.collected,
    onError: log.failed,
    onUnreachable: (error) => logger.warn(loggedError(error), 'vitrine collect --source cannot reach this process'),
  });
  const begin = ({ writer }: Turn): Collecting => collection.begin({ writer, collection: store.collection });
  return new CollectingInTurn({ store, holder, begin, logger, print });
}

/** Search follows the allowlist. `null` for a store whose every write needs a lease: there, the process that collects updates the index. */
function followAllowlist({ store: { writer, collection }, followed: { approved } }: CollectingOptions): Collecting | null {
  if (writer === null) return null;
  const scheduler = new Scheduler({ writer, collection, clock: systemClock, approved: () => approved.current() });
  scheduler.start([]);
  return scheduler;
}

/** Logs what is new about the runs of sources. Prints the first run of each source for the person who started the server. */
export class SourceLog {
  readonly #news = new RunNews();

  constructor(
    private readonly logger: Logger,
    private readonly print: (line: string) => void,
  ) {}

  readonly collected = (source: Pick<Source, 'id' | 'registration'>, report: RunReport): void => {
    const { id } = source;
    const { isFirst, isRecovered, isChange, begun, ended } = this.#news.completed(source, report);
    this.#logRun(id, report, isChange);
    if (isRecovered) this.logger.info({ source: id }, 'the source is collected again');
    for (const warning of begun) this.logger.warn({ source: id, warning }, 'not everything of the source could be taken');
    for (const warning of ended) this.logger.info({ source: id, warning }, 'this warning is over');
    if (isFirst) this.print(`${id}: ${describeRun(report)}`);
  };

  #logRun(source: string, { stored, unchanged, removed, skipped = 0, notices = [] }: RunReport, isChange: boolean): void {
    this.logger[isChange ? 'info' : 'debug']({ source, stored, unchanged, removed, skipped }, 'collected');
    for (const notice of notices) this.logger.info({ source }, notice);
  }

  readonly failed = (source: Pick<Source, 'id'>, error: unknown): void => {
    const { isFirst, isNew } = this.#news.failed(source, String(error));
    if (isNew) this.logger.warn({ source: source.id, ...loggedError(error) }, 'a source could not be collected');
    if (isFirst) this.print(`${source.id}: ${error instanceof Error ? error.message : 'failed'}`);
  };
}

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
        await untilAborted(signal, () => store.connected);
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
      await untilAborted(ending, () => turn.prepare()).catch((error: unknown) => {
        turn.lost.throwIfAborted();
        throw error;
      });
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
