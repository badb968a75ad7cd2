import { acquireLease, connectMongo, LeaseInUseError, toMongoStoreError, WRITER, type Lease, type MongoConnection } from '@vitrine/adapters-mongo';
import type { MongoStoreConfig } from '@vitrine/config';
import type { CommandContext, StoreContext } from './command-context.js';
import { DatabaseError } from './database-error.js';
import { LeaseLostError } from './lease-lost-error.js';
import { StoreInUseError, waitingLine } from './store-in-use-error.js';

export type MongoDb = MongoConnection['db'];

/** Long enough for an election of a primary, and short enough for a command that a timer starts. */
const PATIENCE_MS = 5_000;

/** Connects while the call runs. Rejects with a {@link DatabaseError} if the database cannot be used or is lost. */
export async function withMongo<Result>(
  store: MongoStoreConfig,
  { signal }: Pick<CommandContext, 'signal'>,
  call: (db: MongoDb) => Promise<Result>,
): Promise<Result> {
  try {
    const connection = await connect(store, signal);
    try {
      return await call(connection.db);
    } finally {
      await connection.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    const problem = toMongoStoreError(error, store.hosts);
    throw problem === null ? error : new DatabaseError(problem);
  }
}

/**
 * Waits for the lease and holds it while the call runs. The signal of the call aborts if the lease is lost; then this rejects with a {@link LeaseLostError}.
 * Rejects with a {@link StoreInUseError} if another process holds the lease for longer than the command waits.
 * Each write of the call succeeds only while this process holds the lease.
 */
export async function withLease<Result>(
  db: MongoDb,
  context: Pick<StoreContext, 'signal' | 'holder' | 'warn' | 'waitMs'>,
  call: (signal: AbortSignal, lease: Lease) => Promise<Result>,
): Promise<Result> {
  const { signal } = context;
  const lease = await leaseOf(db, context);
  try {
    const result = await call(AbortSignal.any([signal, lease.lost]), lease);
    if (lease.lost.aborted) throw new LeaseLostError('database');
    return result;
  } catch (error) {
    throw (await lease.isHeld()) ? error : new LeaseLostError('database', { cause: error });
  } finally {
    // If the release fails, the lease expires by itself.
    await lease.release().catch(() => undefined);
  }
}

async function leaseOf(db: MongoDb, { signal, holder, warn, waitMs }: Pick<StoreContext, 'signal' | 'holder' | 'warn' | 'waitMs'>): Promise<Lease> {
  const inUse = { place: `the database ${db.databaseName}`, use: 'uses', waitMs } as const;
  const onWaiting = (other: string): void => {
    warn(waitingLine({ ...inUse, holder: other }));
  };
  try {
    return await acquireLease(db, { name: WRITER, holder, signal, onWaiting, waitMs });
  } catch (error) {
    throw error instanceof LeaseInUseError ? new StoreInUseError({ ...inUse, holder: error.holder ?? 'Another process' }) : error;
  }
}

async function connect({ uri, hosts }: MongoStoreConfig, signal: AbortSignal): Promise<MongoConnection> {
  const startedAt = performance.now();
  let failure: unknown;
  const connection = connectMongo({
    uri,
    onFailure: (error) => {
      failure = error;
      const isFinal = toMongoStoreError(error, hosts)?.problem !== 'unreachable';
      if (isFinal || performance.now() - startedAt > PATIENCE_MS) void connection.close();
    },
  });
  const stop = (): void => void connection.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await connection.connected;
    return connection;
  } catch (error) {
    throw failure ?? error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
