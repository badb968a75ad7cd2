import { createHash } from 'node:crypto';
import {
  acquireLease,
  connectMongo,
  createMongoChangeFeed,
  createMongoReaders,
  createMongoRecordScan,
  createMongoWriters,
  missingIndexes,
  prepareToWrite,
  toMongoStoreError,
} from '@vitrine/adapters-mongo';
import type { DatabaseLease, MongoConnection, MongoStoreOptions } from '@vitrine/adapters-mongo';
import type { Damage, StoreCheck } from '@vitrine/adapters-sqlite';
import type { MongoStoreConfig } from '@vitrine/config';
import type { ChangeFeed, LeaseOptions, QuarantineMonitor, ReadContext } from '@vitrine/core';
import type { OpenedStore, SearchedDatabase, StoreOptions, Turn } from './opened-store.js';

export interface OpenedDatabase extends OpenedStore {
  readonly db: MongoConnection['db'];
  readonly acquire: (options: LeaseOptions) => Promise<Turn & { readonly lease: DatabaseLease }>;
}

const UNLIMITED = 0;
/** A page of an index that is built takes longer than one that a client waits for. */
const SCAN_MS = 30_000;
const NAME_LENGTH = 16;

/** Begins to connect, and goes on until the database is there or the store is closed. Throws a `MongoStoreError` if the connection string cannot be used. */
export function openMongo(config: MongoStoreConfig, { onConnectFailure, ...options }: StoreOptions): OpenedDatabase {
  const explain = (error: unknown): unknown => toMongoStoreError(error, config.hosts) ?? error;
  const onFailure = (error: unknown): void => onConnectFailure?.(explain(error));
  return openedDatabase(connectMongo({ uri: config.uri, onFailure }), config, options);
}

export function openedDatabase(
  connection: Pick<MongoConnection, 'db' | 'connected' | 'state' | 'close'>,
  { hosts, retentionMs }: Pick<MongoStoreConfig, 'hosts' | 'retentionMs'>,
  options: StoreOptions,
): OpenedDatabase {
  const { db, connected } = connection;
  const { maxPoolSize } = db.client.options;
  const changeFeed = createMongoChangeFeed(db, { clock: options.clock, retentionMs });
  const stored = { ...options, retentionMs, changeFeed };
  return {
    what: 'database',
    place: `the database ${db.databaseName}`,
    db,
    readers: createMongoReaders(db, stored),
    collection: createMongoWriters(db, stored).collection,
    writer: null,
    changeFeed,
    search: searchedDatabase(db, hosts, stored),
    health: connection,
    folder: null,
    storeSlots: maxPoolSize === UNLIMITED ? undefined : maxPoolSize,
    connected,
    acquire: async (lease) => turnOf(db, await acquireLease(db, lease), stored),
    check: (context) => checked(db, stored, context),
    missingIndexes: () => missingIndexes(db),
    explain: (error) => toMongoStoreError(error, hosts) ?? error,
    close: async () => {
      await changeFeed.close();
      await connection.close();
    },
  };
}

function turnOf(db: MongoConnection['db'], lease: DatabaseLease, options: MongoStoreOptions): Turn & { readonly lease: DatabaseLease } {
  // Each turn has new writers: those of an earlier turn do not know the writes of other processes in between.
  const { writer, settled } = createMongoWriters(db, { ...options, lease });
  const release = async (): Promise<void> => {
    await settled();
    await lease.release();
  };
  return { lease, writer, lost: lease.lost, prepare: () => prepareToWrite(db, options), isHeld: () => lease.isHeld(), release };
}

function searchedDatabase(
  db: MongoConnection['db'],
  hosts: string,
  options: MongoStoreOptions & { readonly changeFeed: ChangeFeed },
): SearchedDatabase {
  return {
    scan: createMongoRecordScan(db, { ...options, maxTimeMs: SCAN_MS }),
    feed: options.changeFeed,
    name: createHash('sha256').update(`${hosts} ${db.databaseName}`).digest('hex').slice(0, NAME_LENGTH),
  };
}

async function checked(db: MongoConnection['db'], options: StoreOptions, { signal }: ReadContext): Promise<StoreCheck> {
  const [records, damages] = [new Map<string, number>(), [] as Damage[]];
  const monitor: QuarantineMonitor = { quarantined: (kind, id, reason) => void damages.push({ kind, id, reason }) };
  const { collection } = createMongoWriters(db, { ...options, monitor });
  for await (const { kind } of collection.records({ signal })) records.set(kind, (records.get(kind) ?? 0) + 1);
  return { records, damages };
}
