import { COLLECTOR, LeaseInUseError, openSqliteStore, StoreFolderError, type Lease, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import type { EmbeddedStoreConfig } from '@vitrine/config';
import type { CommandContext, StoreContext } from './command-context.js';
import { LeaseLostError } from './lease-lost-error.js';
import type { OpenedStore } from './opened-store.js';
import { StoreInUseError, waitingLine } from './store-in-use-error.js';
import { storeOptions } from './store-options.js';

/** Opens the store of a folder while the call runs. Other processes may use it too. Rejects with a `StoreFolderError` if it cannot be used. */
export async function withFolder<Result>(
  config: EmbeddedStoreConfig,
  context: CommandContext,
  call: (store: OpenSqliteStore) => Promise<Result>,
): Promise<Result> {
  const store = await openSqliteStore({ ...storeOptions(config, context), path: config.path });
  try {
    return await call(store);
  } finally {
    await store.close();
  }
}

/**
 * Waits for the lease and holds it while the call runs. The signal of the call aborts if the lease is lost; then this rejects with a {@link LeaseLostError}.
 * Rejects with a {@link StoreInUseError} if another process holds the lease for longer than the command waits.
 */
export async function withFolderLease<Result>(
  config: EmbeddedStoreConfig,
  context: StoreContext,
  call: (store: OpenedStore) => Promise<Result>,
): Promise<Result> {
  return withFolder(config, context, async (store) => {
    const lease = await leaseOf(store, config, context);
    try {
      const signal = AbortSignal.any([context.signal, lease.lost]);
      const result = await call({
        writer: store.writerUnder(lease),
        collection: store.collection,
        configurations: store.readers.configurations,
        signal,
      });
      // A write that has failed because another process has the lease may have been reported as the failure of its source.
      if (!(await lease.isHeld())) throw lossOf(lease);
      return result;
    } catch (error) {
      throw (await lease.isHeld()) ? error : lossOf(lease, { cause: error });
    } finally {
      // If the release fails, the lease expires by itself.
      await lease.release().catch(() => undefined);
    }
  });
}

/** Why the lease is not held any more: another process has it, or the folder was removed. */
function lossOf({ lost: { reason } }: Lease, options: ErrorOptions = {}): Error {
  return reason instanceof StoreFolderError ? reason : new LeaseLostError('data folder', options);
}

async function leaseOf(store: OpenSqliteStore, { path }: EmbeddedStoreConfig, { signal, holder, warn, waitMs }: StoreContext): Promise<Lease> {
  const inUse = { place: `the data folder ${String(path)}`, use: 'collects into', waitMs } as const;
  const onWaiting = (other: string): void => {
    warn(waitingLine({ ...inUse, holder: other }));
  };
  try {
    return await store.acquireLease({ name: COLLECTOR, holder, signal, onWaiting, waitMs });
  } catch (error) {
    throw error instanceof LeaseInUseError ? new StoreInUseError({ ...inUse, holder: error.holder }) : error;
  }
}
