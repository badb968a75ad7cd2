import type { ClientSession, ClientSessionOptions, Collection, Db, IndexDescription, MongoClient } from 'mongodb';
import type { StoredDocument } from './documents/codec.js';
import { listIndexKeys, LISTS, type StoredList } from './lists/stored-lists.js';

/** The field that marks a repository whose facts must be derived again. */
export const FACTS_PENDING = 'factsPending';

/** The field of a record's document that names the sources that vouch for it. A document without it has none. */
export const VOUCHERS = 'vouchers';

/** Finds all records of a source. */
const VOUCHER_INDEX = { key: { [`${VOUCHERS}.source`]: 1 }, sparse: true } as const;

/** The indexes of the collections that hold one listed kind each. */
const LIST_INDEXES = Object.fromEntries(
  Object.values(LISTS).map((list) => [list.collection, [...listIndexKeys(list).map((key) => ({ key })), VOUCHER_INDEX]]),
) as unknown as Readonly<Record<StoredList['collection'], readonly IndexDescription[]>>;

/** Everything that is added up of days, so that a sum reads the index alone. */
export const DAY_KEY = {
  serviceKey: 1,
  day: 1,
  'counts.operational': 1,
  'counts.degraded': 1,
  'counts.outage': 1,
  'counts.maintenance': 1,
  'counts.unknown': 1,
  coveredMs: 1,
  outageMs: 1,
  degradedMs: 1,
  changedAt: 1,
} as const;

/** Every index, by collection. The API verifies them; the collector and `vitrine store init` create them. */
const INDEXES = {
  repositories: [{ key: { [FACTS_PENDING]: 1 }, sparse: true }, VOUCHER_INDEX],
  ...LIST_INDEXES,
  commits: [...LIST_INDEXES.commits, { key: { sha: 1, repositoryRef: 1 } }],
  activity_days: [{ key: { repositoryRef: 1, day: 1, commits: 1, releases: 1 } }],
  activity_marks: [],
  services: [VOUCHER_INDEX],
  syncs: [{ key: { repositoryRef: 1 } }],
  status_checks: [{ key: { checkedAt: 1 } }],
  status_days: [{ key: DAY_KEY }],
  status_hours: [],
  status_trails: [],
  status_pending: [],
  leases: [],
} as const satisfies Readonly<Record<string, readonly IndexDescription[]>>;

export type CollectionName = keyof typeof INDEXES;

export const COLLECTION_NAMES = Object.keys(INDEXES) as readonly CollectionName[];

export type ReadCollection = Pick<
  Collection<StoredDocument>,
  'find' | 'findOne' | 'aggregate' | 'collectionName' | 'db' | 'readConcern' | 'readPreference'
>;

/** The collections of a database: the only place that names one. */
export class Collections {
  constructor(private readonly db: Db) {}

  get client(): MongoClient {
    return this.db.client;
  }

  /** Runs a call with a session whose transactions write to this database. */
  withSession<Result>(run: (session: ClientSession) => Promise<Result>): Promise<Result> {
    return this.db.client.withSession(writingSession(this.db), run);
  }

  of(name: CollectionName): ReadCollection {
    return this.writable(name);
  }

  /** What writers write goes through {@link Commits}, which alone asks for this, beside the lease itself and what prepares a database. */
  writable(name: CollectionName): Collection<StoredDocument> {
    return this.db.collection<StoredDocument>(name);
  }
}

/** The options of sessions that write. By themselves, transactions would ignore the write concern of the database. */
export function writingSession({ writeConcern }: Db): ClientSessionOptions {
  return { defaultTransactionOptions: { readPreference: 'primary', ...(writeConcern !== undefined && { writeConcern }) } };
}

/** Creates every index that is missing. Can be called again at any time; MongoDB builds indexes while reads and writes go on. */
export async function ensureIndexes(db: Db): Promise<void> {
  const collections = await namesIn(db);
  for (const name of COLLECTION_NAMES) {
    const missing = await missingOf(db, name, collections);
    if (missing.length > 0) await db.collection(name).createIndexes([...missing]);
  }
}

/** The indexes that the database lacks, as `collection: key`. */
export async function missingIndexes(db: Db): Promise<readonly string[]> {
  const collections = await namesIn(db);
  const missing: string[] = [];
  // One after the other: all at once, they would need more connections than a server that has just started has.
  for (const name of COLLECTION_NAMES) missing.push(...(await missingOf(db, name, collections)).map(({ key }) => `${name}: ${JSON.stringify(key)}`));
  return missing;
}

/** An index that is there with other options, such as how long its documents stay, is there. */
async function missingOf(db: Db, name: CollectionName, collections: ReadonlySet<string>): Promise<readonly IndexDescription[]> {
  const wanted: readonly IndexDescription[] = INDEXES[name];
  const present = new Set(
    wanted.length > 0 && collections.has(name) ? (await db.collection(name).indexes()).map(({ key }) => JSON.stringify(key)) : [],
  );
  return wanted.filter(({ key }) => !present.has(JSON.stringify(key)));
}

export async function namesIn(db: Db): Promise<ReadonlySet<string>> {
  return new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
}
