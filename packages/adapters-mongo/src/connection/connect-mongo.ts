import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, type Db, type MongoClientOptions, type TopologyDescription } from 'mongodb';
import { addressError } from './mongo-store-error.js';

/** Times are short enough that a request hears of a lost database within its own, and long enough for an election to pass unseen. */
const PREFERENCES = {
  serverSelectionTimeoutMS: 800,
  connectTimeoutMS: 1_000,
  socketTimeoutMS: 4_000,
  waitQueueTimeoutMS: 500,
  maxPoolSize: 20,
  minPoolSize: 2,
  heartbeatFrequencyMS: 2_000,
  readPreference: 'primaryPreferred',
  maxStalenessSeconds: 90,
  maxAdaptiveRetries: 1,
  enableOverloadRetargeting: true,
} as const satisfies MongoClientOptions;

/** What the promises of the store rest on. */
const FIXED = {
  readConcern: { level: 'majority' },
  writeConcern: { w: 'majority', journal: true },
  retryReads: true,
  retryWrites: true,
  // A field that was forgotten must not turn into "everything".
  ignoreUndefined: false,
} as const satisfies MongoClientOptions;

const DEFAULT_DATABASE = 'vitrine';
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 1_000;
const WRITABLE = new Set(['RSPrimary', 'Standalone', 'Mongos', 'LoadBalanced']);

export interface MongoConnectionOptions {
  /** A connection string; its path names the database, `vitrine` by default. */
  readonly uri: string;
  /** Shown in the server's logs. */
  readonly appName?: string;
  /** Hears of every attempt to connect that failed. */
  readonly onFailure?: (error: unknown) => void;
}

/** A connection that keeps itself: it tries until the database is there, and finds it again when it was lost. */
export interface MongoConnection {
  readonly db: Db;
  /** `connecting` until the first success; `degraded` while nothing can be written, which also means that reads may fail. */
  readonly state: 'connecting' | 'ready' | 'degraded';
  /** Resolves at the first success; rejects only when the connection is closed before. */
  readonly connected: Promise<void>;
  close(): Promise<void>;
}

/** Begins to connect. Throws a `MongoStoreError` at once when the connection string cannot be used. */
export function connectMongo({ uri, appName = 'vitrine', onFailure }: MongoConnectionOptions): MongoConnection {
  const client = clientOf(uri, appName);
  const closing = new AbortController();
  let state: MongoConnection['state'] = 'connecting';
  const connected = connect(client, closing.signal, onFailure).then(() => {
    state = 'ready';
  });
  // Whoever waits for it is told; nobody has to.
  connected.catch(() => undefined);
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    if (state !== 'connecting') state = isWritable(newDescription) ? 'ready' : 'degraded';
  });
  return {
    db: client.db(databaseOf(client, uri)),
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

function clientOf(uri: string, appName: string): MongoClient {
  try {
    return new MongoClient(uri, { appName, ...preferences(uri), ...FIXED });
  } catch (error) {
    throw addressError(error);
  }
}

/** A client whose first attempt failed stays dead until it is asked again. */
async function connect(client: MongoClient, closing: AbortSignal, onFailure: (error: unknown) => void = () => undefined): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    closing.throwIfAborted();
    try {
      await client.connect();
      return;
    } catch (error) {
      closing.throwIfAborted();
      onFailure(error);
    }
    // Many processes that lost one database do not come back in step.
    await sleep(pause * (0.75 + Math.random() / 2), undefined, { signal: closing });
  }
}

/** Those that the connection string says nothing of. */
function preferences(uri: string): MongoClientOptions {
  const given = new Map([...new URLSearchParams(uri.split('?')[1] ?? '')].map(([name, value]) => [name.toLowerCase(), value]));
  // The primary is never stale, and the driver refuses the two together.
  if (given.get('readpreference') === 'primary') given.set('maxstalenessseconds', '');
  return Object.fromEntries(Object.entries(PREFERENCES).filter(([name]) => !given.has(name.toLowerCase())));
}

function isWritable({ servers }: TopologyDescription): boolean {
  return [...servers.values()].some(({ type }) => WRITABLE.has(type));
}

/** The driver does not tell a string that names no database from one that names `test`. */
function databaseOf({ options }: MongoClient, uri: string): string {
  return /^[^/]*\/\/[^/?]*\/[^?]/.test(uri) ? options.dbName : DEFAULT_DATABASE;
}
