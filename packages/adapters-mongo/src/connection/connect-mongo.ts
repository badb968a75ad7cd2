import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, type Db, type MongoClientOptions, type TopologyDescription } from 'mongodb';
import { addressError, StandaloneError } from './mongo-store-error.js';

/** Reads leave a member that lags for longer. */
export const MOST_LAG_SECONDS = 90;

/** Defaults that the connection string can override. A request learns of a lost database before its own time is over, and does not notice an election. */
const PREFERENCES = {
  serverSelectionTimeoutMS: 800,
  connectTimeoutMS: 1_000,
  socketTimeoutMS: 4_000,
  waitQueueTimeoutMS: 500,
  maxPoolSize: 20,
  minPoolSize: 2,
  heartbeatFrequencyMS: 2_000,
  readPreference: 'primaryPreferred',
  maxStalenessSeconds: MOST_LAG_SECONDS,
  maxAdaptiveRetries: 1,
  enableOverloadRetargeting: true,
} as const satisfies MongoClientOptions;

/** Settings that the connection string cannot override, because the guarantees of the store depend on them. */
const FIXED = {
  readConcern: { level: 'majority' },
  writeConcern: { w: 'majority', journal: true },
  retryReads: true,
  retryWrites: true,
  // A forgotten field must fail. If it were ignored, the filter would match everything.
  ignoreUndefined: false,
} as const satisfies MongoClientOptions;

const DEFAULT_DATABASE = 'vitrine';
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 1_000;
const WRITABLE = new Set(['RSPrimary', 'Mongos', 'LoadBalanced']);

export interface MongoConnectionOptions {
  /** A connection string. Its path is the name of the database, `vitrine` by default. */
  readonly uri: string;
  /** Called for every failed attempt to connect. */
  readonly onFailure?: (error: unknown) => void;
}

/** A connection that retries until the database is available, and reconnects if it is lost. */
export interface MongoConnection {
  readonly db: Db;
  /** `connecting` until the first success. `degraded`: nothing can be written, and reads may fail too. */
  readonly state: 'connecting' | 'ready' | 'degraded';
  /** Resolves after the first success. Rejects only if the connection is closed before. */
  readonly connected: Promise<void>;
  close(): Promise<void>;
}

/** Starts to connect. Throws a `MongoStoreError` at once if the connection string is invalid. */
export function connectMongo({ uri, onFailure }: MongoConnectionOptions): MongoConnection {
  const client = clientOf(uri);
  const db = client.db(databaseOf(client, uri));
  const closing = new AbortController();
  let state: MongoConnection['state'] = 'connecting';
  const connected = connect(client, closing.signal, onFailure).then(() => {
    state = 'ready';
  });
  // Callers need not await `connected`, so its rejection must not count as unhandled.
  connected.catch(() => undefined);
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    if (state !== 'connecting') state = isWritable(newDescription) ? 'ready' : 'degraded';
  });
  return {
    db,
    get state() {
      return state;
    },
    connected,
    async close() {
      closing.abort(new Error('The connection was closed before the database was there.'));
      await client.close();
    },
  };
}

function clientOf(uri: string): MongoClient {
  try {
    return new MongoClient(uri, { appName: 'vitrine', ...preferences(uri), ...FIXED });
  } catch (error) {
    throw addressError(error);
  }
}

/** A client does not retry by itself if its first attempt failed. */
async function connect(client: MongoClient, closing: AbortSignal, onFailure: (error: unknown) => void = () => undefined): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    closing.throwIfAborted();
    try {
      await client.connect();
      await requireReplicaSet(client);
      return;
    } catch (error) {
      closing.throwIfAborted();
      onFailure(error);
    }
    // The random part keeps many processes from reconnecting at the same moment.
    await sleep(pause * (0.75 + Math.random() / 2), undefined, { signal: closing });
  }
}

/** Members of a replica set and routers of a sharded cluster have streams of changes and transactions; a standalone server has neither. */
async function requireReplicaSet(client: MongoClient): Promise<void> {
  const { setName, msg } = await client.db('admin').command({ hello: 1 });
  if (setName === undefined && msg !== 'isdbgrid') throw new StandaloneError();
}

/** The defaults for settings that the connection string does not contain. */
function preferences(uri: string): MongoClientOptions {
  const given = new Map([...new URLSearchParams(uri.split('?')[1] ?? '')].map(([name, value]) => [name.toLowerCase(), value]));
  // `primary` cannot be combined with a maximum staleness: the driver rejects that.
  if (given.get('readpreference') === 'primary') given.set('maxstalenessseconds', '');
  return Object.fromEntries(Object.entries(PREFERENCES).filter(([name]) => !given.has(name.toLowerCase())));
}

function isWritable({ servers }: TopologyDescription): boolean {
  return [...servers.values()].some(({ type }) => WRITABLE.has(type));
}

/** What MongoDB accepts as a name: at most 63 bytes. */
const NAME = /^[^\0/\\. "$]+$/;
const LONGEST_NAME = 63;
/** The databases of MongoDB itself. Users are often in `admin`, so its name gets into the path by mistake. */
const INTERNAL: ReadonlySet<string> = new Set(['admin', 'config', 'local']);

/** The driver returns `test` both for a string that names `test` and for a string that names no database. */
function databaseOf({ options }: MongoClient, uri: string): string {
  const name = /^[^/]*\/\/[^/?]*\/[^?]/.test(uri) ? options.dbName : DEFAULT_DATABASE;
  if (NAME.test(name) && Buffer.byteLength(name) <= LONGEST_NAME && !INTERNAL.has(name)) return name;
  throw addressError(
    new Error(
      'its path must name the database of the records, such as /vitrine: at most 63 bytes without spaces and / \\ . " $, and not admin, config or local; if the user is in admin, add authSource=admin',
    ),
  );
}
