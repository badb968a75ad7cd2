import { type ClockDoubt, HOUR, type QuarantineMonitor } from '@vitrine/core';
import type { Logger } from 'pino';
import { RepeatedProblems } from '@vitrine/collector/server';
import type { StoreConfig } from '@vitrine/config';
import { loggedError } from './logging.js';
import type { OpenedStore, StoreOptions } from './opened-store.js';
import { openStore } from './open-store.js';

/** Logs that a store can no longer be written, which somebody has to put right, and that it can be again. */
export function writableLog(logger: Logger): (isWritable: boolean, error: unknown) => void {
  return (isWritable, error) => {
    if (isWritable) logger.info('the store can be written again');
    else logger.error(loggedError(error), 'the store cannot be written: everything is served, and nothing is collected until it can');
  };
}

export function clockLog(logger: Logger): (doubt: ClockDoubt) => void {
  return ({ reason, by }) => {
    const what = reason === 'jump' ? 'the clock jumped while this process ran' : 'the clock is far ahead of the newest stored checks';
    logger.warn({ hours: Math.round(by / HOUR) }, `${what}; no raw checks are deleted for a day. Check the clock of this machine`);
  };
}

/** Logs that the database cannot be used: when it begins, when the reason changes, and when it ends. */
export class ConnectionLog {
  readonly #reasons = new RepeatedProblems();

  constructor(
    private readonly hosts: string,
    private readonly logger: Logger,
  ) {}

  failed(error: unknown): void {
    if (this.#reasons.now(this.hosts, [error instanceof Error ? error.message : String(error)]).begun.length === 0) return;
    // The database may start later than the server, so that is not an error. A wrong password is one.
    const level = error instanceof Error && 'problem' in error && error.problem === 'unreachable' ? 'warn' : 'error';
    this.logger[level](loggedError(error), 'the database cannot be used; it is tried again until it can');
  }

  connected(): void {
    this.#reasons.now(this.hosts, []);
    this.logger.info({ hosts: this.hosts }, 'connected to MongoDB');
  }
}

interface Problem {
  readonly ids: Set<string>;
  /** Fires when no reader has met it for an hour. */
  readonly over: NodeJS.Timeout;
}

const MOST_IDS = 20;
/** Repairs are not reported: a problem that no reader has met for this long counts as over. */
const OVER_AFTER_MS = HOUR;

/** Each request meets damaged documents again: a problem (kind and reason) is logged when it begins, for 20 documents, and when it is over. */
export class LoggingQuarantineMonitor implements QuarantineMonitor {
  readonly #problems = new Map<string, Problem>();

  constructor(private readonly logger: Logger) {}

  quarantined(kind: string, id: string, reason: string): void {
    const { ids, over } = this.#problems.get(`${kind} ${reason}`) ?? this.#begun(kind, reason);
    over.refresh();
    if (ids.has(id) || ids.size >= MOST_IDS) return;
    ids.add(id);
    const rest = ids.size < MOST_IDS ? '' : '; further documents with this problem are not logged';
    this.logger.warn({ kind, id, reason }, `a stored document cannot be used, so it is left out${rest}`);
  }

  #begun(kind: string, reason: string): Problem {
    const ids = new Set<string>();
    const over = setTimeout(() => {
      this.#problems.delete(`${kind} ${reason}`);
      this.logger.info({ kind, reason, documents: ids.size }, 'no stored document with this problem was read for an hour');
    }, OVER_AFTER_MS);
    const problem = { ids, over: over.unref() };
    this.#problems.set(`${kind} ${reason}`, problem);
    return problem;
  }
}

export async function openLoggedStore(
  config: StoreConfig,
  { clock, logger, ...options }: Pick<StoreOptions, 'clock' | 'mustExist' | 'onWritable'> & { readonly logger: Logger },
): Promise<OpenedStore> {
  const connection = config.kind === 'mongodb' ? new ConnectionLog(config.hosts, logger) : null;
  const tell = writableLog(logger);
  const store = await openStore(config, {
    ...options,
    clock,
    monitor: new LoggingQuarantineMonitor(logger),
    onClockDoubt: clockLog(logger),
    onWritable: (isWritable, error) => {
      tell(isWritable, error);
      options.onWritable?.(isWritable, error);
    },
    onConnectFailure: (error) => connection?.failed(error),
  });
  // It rejects if the store is closed before.
  store.connected.then(() => connection?.connected()).catch(() => undefined);
  return store;
}
