import { type FolderLease, openSqliteStore, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import type { EmbeddedStoreConfig, MongoStoreConfig, StoreConfig } from '@vitrine/config';
import { given } from '@vitrine/core';
import type { OpenedDatabase } from './mongo-store.js';
import { loadWith } from './start-errors.js';
import type { OpenedStore, StoreOptions, Turn } from './opened-store.js';

export type { OpenedStore, StoreOptions, Turn } from './opened-store.js';

/** Whether a database cannot be used. The `MongoStoreError` is recognized by its name, because its class loads the driver, which may not be installed. */
export function isDatabaseError(error: unknown): error is Error & { readonly problem: string } {
  return error instanceof Error && error.name === 'MongoStoreError';
}

/**
 * Opens the store of a configuration. Rejects with a `StoreFolderError` if the folder cannot be used, and with a `MongoStoreError` if the connection string
 * cannot be used, and with a `MissingPackageError` without `@vitrine/adapters-mongo`. A database may come later: see `connected`.
 */
export function openStore(config: StoreConfig, options: StoreOptions): Promise<OpenedStore> {
  return config.kind === 'embedded' ? openFolder(config, options) : openDatabase(config, options);
}

/** A program without a database does not load the driver: a quick command takes a tenth longer with it. */
export async function openDatabase(config: MongoStoreConfig, options: StoreOptions): Promise<OpenedDatabase> {
  const { openMongo } = await loadWith('@vitrine/adapters-mongo', 'A store on MongoDB', () => import('./mongo-store.js'));
  return openMongo(config, options);
}

/** Opens the store of a folder, or of temporary files. Rejects as {@link openStore} does. */
export async function openFolder({ path, retentionMs }: EmbeddedStoreConfig, { clock, mustExist, monitor, onWritable, onClockDoubt }: StoreOptions) {
  const store = await openSqliteStore(given({ clock, path, retentionMs, mustExist, monitor, onWritable, onClockDoubt }));
  return openedFolder(store, path);
}

/** @param path the configured one; `null` for temporary files */
export function openedFolder(store: OpenSqliteStore, path: string | null): OpenedStore & Pick<OpenSqliteStore, 'backup'> {
  return {
    what: 'data folder',
    place: `the data folder ${String(path)}`,
    readers: store.readers,
    search: store.readers.search,
    collection: store.collection,
    writer: store.writer,
    changeFeed: store.changeFeed,
    health: store,
    folder: store.folder,
    connected: Promise.resolve(),
    acquire: async (options) => turnOf(store, await store.acquireLease(options)),
    check: (context) => store.check(context),
    backup: (file) => store.backup(file),
    missingIndexes: () => Promise.resolve([]),
    explain: (error) => error,
    close: () => store.close(),
  };
}

function turnOf(store: OpenSqliteStore, lease: FolderLease): Turn {
  return {
    writer: store.writerUnder(lease),
    lost: lease.lost,
    prepare: () => Promise.resolve(),
    isHeld: () => lease.isHeld(),
    release: () => lease.release(),
  };
}
