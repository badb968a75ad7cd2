import {
  type Clock,
  DAY,
  DEFAULT_RETENTION_MS,
  HOUR,
  type Instant,
  SECOND,
  type ServiceDay,
  startOfDay,
  type RecordStoreOptions,
} from '@vitrine/core';
import { type Db, type Document, MongoServerError } from 'mongodb';
import { activityDaySchema, activityMarkSchema } from './activity/mongo-activity-reader.js';
import { rebuildActivity } from './activity/activity-writer.js';
import { COLLECTION_NAMES, type CollectionName, Collections, ensureIndexes, namesIn, VOUCHERS, warningOf } from './collections.js';
import type { DatabaseLease } from './connection/held-lease.js';
import type { BsonSchema } from './documents/codec.js';
import { DOCUMENTS, type DocumentSpec } from './documents/documents.js';
import { repositoryFacts } from './documents/repository-facts.js';
import { checkSchema, latestSchema } from './status/check-document.js';
import { CheckWriter } from './status/check-writer.js';
import { daySchema, hoursSchema } from './status/day-document.js';
import { StatusStore } from './status/status-store.js';
import { Commits } from './writers/commits.js';
import { FactWriter } from './writers/fact-writer.js';

const UNAUTHORIZED = 13;

export type StoreAdminOptions = Pick<RecordStoreOptions, 'clock' | 'retentionMs'>;

/**
 * Prepares a database: creates collections, indexes and schemas (which only warn), and sets how long raw checks are kept. You can call it again at any
 * time. Resolves with the collections whose schema could not be updated: that needs the role `dbAdmin`; everything else needs `readWrite`.
 */
export async function initStore(db: Db, options: StoreAdminOptions): Promise<readonly string[]> {
  await prepareToWrite(db, options);
  await dropOldIndexes(db);
  await dropOldCollections(db);
  const withoutSchema: string[] = [];
  for (const { name, options: found = {} } of await db.listCollections({}, { nameOnly: false }).toArray()) {
    const wanted = validationOf(name);
    if (wanted !== null && !isSame(found, wanted) && !(await isAllowed(db.command({ collMod: name, ...wanted })))) withoutSchema.push(name);
  }
  return withoutSchema;
}

/** Earlier versions added up days from packed numbers in an index. */
async function dropOldIndexes(db: Db): Promise<void> {
  const days = new Collections(db).writable('status_days');
  const old = (await days.indexes()).find(({ key }) => key['packed'] !== undefined);
  if (old?.name !== undefined) await days.dropIndex(old.name);
}

/** Earlier versions kept a search index in the database. */
async function dropOldCollections(db: Db): Promise<void> {
  const present = await namesIn(db);
  for (const name of ['search_segments', 'search_blocks']) if (present.has(name)) await db.dropCollection(name);
}

/** Prepares a database for a collector: all collections, all indexes, and how long raw checks are kept. You can call it again at any time. */
export async function prepareToWrite(db: Db, { retentionMs = DEFAULT_RETENTION_MS }: Pick<StoreAdminOptions, 'retentionMs'>): Promise<void> {
  const present = await namesIn(db);
  for (const name of COLLECTION_NAMES) if (!present.has(name)) await db.createCollection(name, validationOf(name) ?? {});
  await ensureIndexes(db);
  await ensureRetention(db, retentionMs);
}

function validationOf(name: string) {
  const schema = Object.entries(STORED_SCHEMAS).find(([collection]) => collection === name)?.[1];
  return schema === undefined ? null : warningOf(schema);
}

/** MongoDB keeps the order of fields, so comparing JSON texts is enough. */
function isSame(found: Document, { validator, validationAction }: Document): boolean {
  return JSON.stringify([found['validator'], found['validationAction']]) === JSON.stringify([validator, validationAction]);
}

async function isAllowed(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === UNAUTHORIZED) return false;
    throw error;
  }
}

export interface ReindexOptions extends StoreAdminOptions {
  /** The lease under which this writes: see {@link acquireLease}. Without one, no other process may write at the same time. */
  readonly lease?: DatabaseLease;
  readonly signal: AbortSignal;
  /** Called with lines that describe the progress for people. */
  readonly onProgress: (line: string) => void;
}

/**
 * Rebuilds the data that is derived from the records: facts of repositories, their activity by day, and daily counts of checks. Readers use the old data until the
 * new data is complete. If it is interrupted, call it again. If the lease is lost, nothing more is written, and this rejects with a {@link LostLeaseError}.
 */
export async function reindexStore(db: Db, options: ReindexOptions): Promise<void> {
  const { clock, retentionMs = DEFAULT_RETENTION_MS, lease = null, signal, onProgress } = options;
  const commits = new Commits(new Collections(db), lease);
  await new FactWriter(commits, clock).rebuild();
  onProgress('repositories: newest releases and activities');
  await rebuildActivity(commits);
  onProgress('repositories: commits and releases by day');
  await rebuildDays(commits, { clock, retentionMs, signal, onProgress });
}

/** The clocks of servers and collectors differ. This delay makes sure that a day is frozen before the first of its checks is deleted. */
const SPARED_MS = HOUR;
const KEY = { checkedAt: 1 } as const;

/**
 * Makes the existing index of times delete raw checks that are older than the retention. You can call it again at any time, also with another
 * retention. The index is then created again, because the role of a collector may create indexes, but may not modify them.
 */
export async function ensureRetention(db: Db, retentionMs: number): Promise<void> {
  const expireAfterSeconds = Math.ceil((retentionMs + SPARED_MS) / SECOND);
  const checks = new Collections(db).writable('status_checks');
  const present = (await checks.indexes()).find(({ key }) => JSON.stringify(key) === JSON.stringify(KEY));
  if (present?.expireAfterSeconds === expireAfterSeconds) return;
  if (present?.name !== undefined) await checks.dropIndex(present.name);
  await checks.createIndexes([{ key: KEY, expireAfterSeconds }]);
}

interface RebuildDaysOptions {
  readonly clock: Clock;
  /** How long raw checks are kept, in milliseconds. Days whose raw checks may be deleted keep their counts. */
  readonly retentionMs: number;
  readonly signal: AbortSignal;
  /** Called with lines that describe the progress for people. */
  readonly onProgress: (line: string) => void;
}

/** How many days of one service are counted together. */
const DAYS_AT_ONCE = 8;

/** Counts every day of every service again from its raw checks. Readers use the old counts until the new ones replace them. */
export async function rebuildDays(commits: Commits, { clock, retentionMs, signal, onProgress }: RebuildDaysOptions): Promise<void> {
  const writer = new CheckWriter(commits, { clock, retentionMs });
  const firstKept = startOfDay(clock.now() - retentionMs + DAY - 1);
  const read = <Found>(work: (store: StatusStore) => Promise<Found>): Promise<Found> =>
    commits.commit((transaction) => work(new StatusStore(transaction)));
  const serviceAfter = (key: string) => read((store) => store.serviceAfter(key));
  const dayFrom = (key: string, day: Instant) => read((store) => store.dayFrom(key, day));
  for (let key = await serviceAfter(''); key !== null; key = await serviceAfter(key)) {
    for (let day = await dayFrom(key, firstKept); day !== null; day = await dayFrom(key, day + DAYS_AT_ONCE * DAY)) {
      signal.throwIfAborted();
      await writer.recount(daysFrom(key, day), { signal });
    }
    // Also if no day is left.
    await writer.rebuildLatestState(key);
    onProgress(`checks: ${key}`);
  }
  const convertAfter = (id: string) => read((store) => store.convertOldDays(id));
  for (let last = await convertAfter(''); last !== null; last = await convertAfter(last)) signal.throwIfAborted();
}

function daysFrom(serviceKey: string, day: Instant): readonly ServiceDay[] {
  return Array.from({ length: DAYS_AT_ONCE }, (_, index) => ({ serviceKey, day: day + index * DAY }));
}

/** Which sources vouch for a record, and in what they contradict it. */
const VOUCHERS_SCHEMA: BsonSchema = {
  bsonType: 'array',
  items: {
    bsonType: 'object',
    required: ['source'],
    properties: { source: { bsonType: 'string' }, says: { bsonType: 'object' } },
  },
};

const records = Object.fromEntries(Object.values<DocumentSpec>(DOCUMENTS).map((spec) => [spec.collection, withVouchers(spec)]));

/** The shape of every stored document that readers use, by collection, as a JSON Schema in MongoDB's dialect. */
export const STORED_SCHEMAS: Readonly<Partial<Record<CollectionName, BsonSchema>>> = {
  ...records,
  repositories: withFacts(withVouchers(DOCUMENTS.repository)),
  activity_days: activityDaySchema,
  activity_marks: activityMarkSchema,
  status_checks: checkSchema,
  status_days: daySchema,
  status_hours: hoursSchema,
  status_trails: latestSchema,
};

/** Nobody vouches for sync records. */
function withVouchers({ kind, schema }: DocumentSpec): BsonSchema {
  return kind === 'sync' ? schema : { ...schema, properties: { ...propertiesOf(schema), [VOUCHERS]: VOUCHERS_SCHEMA } };
}

/** The facts of a repository are optional, because they are stored a moment after its record. */
function withFacts(schema: BsonSchema): BsonSchema {
  return { ...schema, properties: { ...propertiesOf(schema), ...propertiesOf(repositoryFacts.schema) } };
}

function propertiesOf({ properties }: BsonSchema): object {
  return properties as object;
}
