import {
  acquireLease,
  connectMongo,
  LeaseInUseError,
  toMongoStoreError,
  WRITER,
  createMongoReaders,
  createMongoWriters,
  prepareToWrite,
  initStore,
  missingIndexes,
  reindexStore,
  type Lease,
  type MongoConnection,
  type QuarantineMonitor,
} from '@vitrine/adapters-mongo';
import { readConfig, type MongoStoreConfig, type Config } from '@vitrine/config';
import type { Damage, StoreCheck } from '@vitrine/adapters-sqlite';
import type { StoreReaders } from '@vitrine/core';
import { approvedOf, readStoredApprovals } from '@vitrine/collector';
import { EXIT, type CommandContext, type StoreContext, type ExitCode } from './context.js';
import { DatabaseError, LeaseLostError, StoreInUseError, waitingLine, storeOptions, type OpenedStore } from './stores.js';

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

/** Opens a database for reading. */
export function withReadDatabase<Result>(
  store: MongoStoreConfig,
  context: CommandContext,
  use: (store: OpenedStore) => Promise<Result>,
): Promise<Result> {
  return withMongo(store, context, (db) => {
    const { writer, collection } = createMongoWriters(db, storeOptions(store, context));
    const { configurations } = createMongoReaders(db, storeOptions(store, context));
    return use({ writer, collection, configurations, signal: context.signal });
  });
}

/** Reads every document of a record and of checks. */
export function checkedDatabase(store: MongoStoreConfig, context: CommandContext): Promise<StoreCheck> {
  return withMongo(store, context, async (db) => {
    const [rows, damages] = [new Map<string, number>(), [] as Damage[]];
    const monitor: QuarantineMonitor = { quarantined: (kind, id, reason) => void damages.push({ kind, id, reason }) };
    const { collection } = createMongoWriters(db, { ...storeOptions(store, context), monitor });
    for await (const { kind } of collection.records({ signal: context.signal })) rows.set(kind, (rows.get(kind) ?? 0) + 1);
    return { rows, damages };
  });
}

/** Opens a database for what a server shows of it. */
export function withServedDatabase<Result>(
  store: MongoStoreConfig,
  context: CommandContext,
  use: (readers: StoreReaders) => Promise<Result>,
): Promise<Result> {
  return withMongo(store, context, (db) => use(createMongoReaders(db, storeOptions(store, context))));
}

/** Opens a database as the only process that writes. */
export function withLeasedDatabase<Result>(
  store: MongoStoreConfig,
  context: StoreContext,
  use: (store: OpenedStore) => Promise<Result>,
): Promise<Result> {
  return withMongo(store, context, (db) =>
    withLease(db, context, async (signal, lease) => {
      await prepareToWrite(db, store);
      const writers = createMongoWriters(db, { ...storeOptions(store, context), lease, onMergeFailure: mergeWarning(context) });
      try {
        const { configurations } = createMongoReaders(db, storeOptions(store, context));
        return await use({ writer: writers.writer, collection: writers.collection, configurations, signal });
      } finally {
        await writers.settled(signal);
      }
    }),
  );
}

function mergeWarning({ warn }: StoreContext): (error: unknown) => void {
  return (error) => {
    warn(
      `Segments of the search index could not be merged; the next run tries again. Reason: ${error instanceof Error ? error.message : String(error)}`,
    );
  };
}

/** Prepares the database: creates collections, their schemas and indexes. You can run it at any time, also while others read and write. */
export async function initDatabase(context: CommandContext): Promise<ExitCode> {
  return onMongo(context, (store) =>
    withMongo(store, context, async (db) => {
      const { length } = await missingIndexes(db);
      context.progress.show(`${db.databaseName}: indexes to build: ${String(length)}`);
      const withoutSchema = await initStore(db, { clock: context.clock, retentionMs: store.retentionMs });
      context.print(`The database ${db.databaseName} at ${store.hosts} is ready; indexes built: ${String(length)}.`);
      if (withoutSchema.length === 0) return EXIT.fine;
      context.warn(`To change the schema of ${withoutSchema.join(', ')}, which only warns, the user needs the role dbAdmin too.`);
      return EXIT.partly;
    }),
  );
}

/** Rebuilds the data that is derived from the records. Readers see the old data until the new data is complete. The next run continues an interrupted one. */
export async function reindexDatabase(context: StoreContext): Promise<ExitCode> {
  return onMongo(context, (store, config) =>
    withMongo(store, context, (db) =>
      withLease(db, context, async (signal, lease) => {
        await prepareToWrite(db, store);
        const onProgress = (line: string): void => {
          context.progress.show(line);
        };
        const { configurations } = createMongoReaders(db, { clock: context.clock, retentionMs: store.retentionMs });
        const approved = approvedOf(config, await readStoredApprovals(configurations, { signal }));
        await reindexStore(db, { approved, clock: context.clock, retentionMs: store.retentionMs, lease, signal, onProgress });
        context.print(`The database ${db.databaseName} at ${store.hosts} is reindexed.`);
        return EXIT.fine;
      }),
    ),
  );
}

async function onMongo(context: CommandContext, run: (store: MongoStoreConfig, config: Config) => Promise<ExitCode>): Promise<ExitCode> {
  const config = await readConfig(context.env);
  const { file, store } = config;
  if (store.kind === 'mongodb') return run(store, config);
  context.print(`${file} keeps records in a folder, which prepares itself and derives what it needs when it is opened: nothing is to be done.`);
  return EXIT.fine;
}
