import { requireStore, StoreFolderError } from '@vitrine/adapters-sqlite';
import type { Config, StoreConfig } from '@vitrine/config';
import { HOUR, LeaseInUseError, SECOND, type ClockDoubt, type CollectionReader, type ConfigurationReader, type RecordWriter } from '@vitrine/core';
import { isDatabaseError, openStore, type OpenedStore, type StoreOptions, type Turn } from '@vitrine/http/store';
import { type CommandContext, type StoreContext } from './context.js';

export interface WrittenStore {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  readonly configurations: ConfigurationReader;
  /** Aborts when the command must stop, or has lost the lease. */
  readonly signal: AbortSignal;
}

/** Opens the configured store while the call runs, and creates nothing. Rejects with a `StoreFolderError` or a `MongoStoreError` if it cannot be opened. */
export async function readingStore<Result>(
  { store }: Config,
  context: CommandContext,
  use: (store: OpenedStore) => Promise<Result>,
): Promise<Result> {
  if (store.kind === 'embedded' && store.path !== null) await requireStore(store.path);
  return withOpened(opening(store), context, use);
}

function opening(store: StoreConfig) {
  return (options: StoreOptions): Promise<OpenedStore> => openStore(store, options);
}

/**
 * Opens the configured store for writing. Other processes may write to a folder at the same time. Rejects as {@link readingStore} does, and with a
 * `StoreInUseError` if another process has the lease of a database for longer than the command waits.
 */
export async function writingStore<Result>({ store }: Config, context: StoreContext, use: (store: WrittenStore) => Promise<Result>): Promise<Result> {
  return withOpened(opening(store), context, (opened) => {
    const { writer, collection, readers } = opened;
    if (writer === null) return leased(opened, context, use);
    return use({ writer, collection, configurations: readers.configurations, signal: context.signal });
  });
}

/** Opens the configured store as the only process that collects. Rejects as {@link writingStore} does, also for a folder. */
export async function collectingStore<Result>(
  { store }: Config,
  context: StoreContext,
  use: (store: WrittenStore) => Promise<Result>,
): Promise<Result> {
  return withOpened(opening(store), context, (opened) => leased(opened, context, use));
}

export async function withOpened<Store extends OpenedStore, Result>(
  open: (options: StoreOptions) => Promise<Store>,
  context: CommandContext,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await connected(open, context);
  try {
    return await use(store);
  } catch (error) {
    if (store.what === 'database') context.signal.throwIfAborted();
    throw store.explain(error);
  } finally {
    await store.close();
  }
}

/** Long enough for an election of a primary, and short enough for a command that a timer starts. */
const PATIENCE_MS = 5_000;

async function connected<Store extends OpenedStore>(open: (options: StoreOptions) => Promise<Store>, context: CommandContext): Promise<Store> {
  const { clock, signal } = context;
  const startedAt = performance.now();
  const given: { up?: unknown } = {};
  const store = await open({
    clock,
    onClockDoubt: clockWarning(context),
    onConnectFailure: (error) => {
      given.up = error;
      const isFinal = !isDatabaseError(error) || error.problem !== 'unreachable';
      if (isFinal || performance.now() - startedAt > PATIENCE_MS) stop();
    },
  });
  const stop = (): void => void store.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await store.connected;
    return store;
  } catch (error) {
    await store.close();
    signal.throwIfAborted();
    throw given.up ?? store.explain(error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function clockWarning({ warn }: CommandContext): (doubt: ClockDoubt) => void {
  return ({ reason, by }) => {
    // For a command that runs once a week, the clock is always far ahead of the newest stored time.
    if (reason === 'jump')
      warn(`The clock jumped by ${String(Math.round(by / HOUR))} hours; check it. Until it is believed again, no raw checks are deleted.`);
  };
}

type Leased<T extends Turn> = Pick<OpenedStore, 'what' | 'place' | 'collection' | 'readers'> & {
  readonly acquire: (...waiting: Parameters<OpenedStore['acquire']>) => Promise<T>;
};

/**
 * Waits for the lease and holds it while the call runs. The signal of the call aborts if the lease is lost; then this rejects with a {@link LeaseLostError}.
 * Rejects with a {@link StoreInUseError} if another process holds the lease for longer than the command waits.
 */
export async function leased<T extends Turn, Result>(
  store: Leased<T>,
  context: Pick<StoreContext, 'signal' | 'holder' | 'warn' | 'waitMs'>,
  use: (store: WrittenStore, turn: T) => Promise<Result>,
): Promise<Result> {
  const turn = await turnOf(store, context);
  let cause: unknown;
  try {
    const signal = AbortSignal.any([context.signal, turn.lost]);
    await turn.prepare();
    const written = { writer: turn.writer, collection: store.collection, configurations: store.readers.configurations, signal };
    const result = await use(written, turn);
    // A write that has failed because another process has the lease may have been reported as the failure of its source.
    if (await turn.isHeld()) return result;
  } catch (error) {
    if (await turn.isHeld()) throw error;
    cause = error;
  } finally {
    // If the release fails, the lease expires by itself.
    await turn.release().catch(() => undefined);
  }
  const reason: unknown = turn.lost.reason;
  throw reason instanceof StoreFolderError ? reason : new LeaseLostError(store.what, cause);
}

async function turnOf<T extends Turn>(
  { what, place, acquire }: Leased<T>,
  { signal, holder, warn, waitMs }: Pick<StoreContext, 'signal' | 'holder' | 'warn' | 'waitMs'>,
): Promise<T> {
  const use = what === 'database' ? 'uses' : 'collects into';
  const seconds = String(waitMs / SECOND);
  const onWaiting = (other: string): void => warn(`${other} ${use} ${place}; waiting for up to ${seconds} s.`);
  try {
    return await acquire({ holder, signal, onWaiting, waitMs });
  } catch (error) {
    if (!(error instanceof LeaseInUseError)) throw error;
    throw new StoreInUseError(
      `${error.holder} ${use} ${place}, and did not end within ${seconds} s. Stop that process, or wait longer, for example with --wait 5m. ${ADVICE[use]}`,
    );
  }
}

/** How to store records while a process has the lease. */
const ADVICE = {
  uses: 'While a server runs, bring records in through a records source of its configuration.',
  'collects into':
    'To store the records of a file now, use vitrine import. To run one source now, use vitrine collect --source with the configuration file of that process, on its machine and as its user.',
} as const;

/** Another process did not release the store in time. Nothing was changed. */
export class StoreInUseError extends Error {
  override readonly name = 'StoreInUseError';
}

/** This process no longer holds the lease, so another process may write now. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(store: 'database' | 'data folder', cause: unknown) {
    super(`The right to write to this ${store} was lost: it could not be renewed in time, or another process has it. Run the command again.`, {
      cause,
    });
  }
}
