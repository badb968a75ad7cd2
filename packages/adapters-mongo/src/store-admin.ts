import { DAY, DEFAULT_RETENTION_MS, HOUR, type Instant, type RecordStoreOptions, SECOND, type ServiceDay, startOfDay } from '@vitrine/core';
import { type Db, type Document, MongoServerError } from 'mongodb';
import { activityDaySchema, activityMarkSchema, rebuildActivity } from './activity/activity.js';
import { COLLECTION_NAMES, type CollectionName, Collections, ensureIndexes, namesIn, VOUCHERS } from './collections.js';
import type { DatabaseLease } from './connection/lease.js';
import type { BsonSchema } from './documents/codec.js';
import { DOCUMENTS, type DocumentSpec } from './documents/documents.js';
import { deriveFacts, repositoryFacts } from './documents/repository-facts.js';
import { CheckWriter } from './status/check-writer.js';
import { checkSchema, daySchema, hoursSchema, latestSchema } from './status/status-documents.js';
import { Commits } from './writers/commits.js';

const UNAUTHORIZED = 13;

export type StoreAdminOptions = Pick<RecordStoreOptions, 'clock' | 'retentionMs'>;

/**
 * Prepares a database: creates collections, indexes and schemas (which only warn), and sets how long raw checks are kept. You can call it again at any
 * time. Resolves with the collections whose schema could not be updated: that needs the role `dbAdmin`; everything else needs `readWrite`.
 */
export async function initStore(db: Db, options: StoreAdminOptions): Promise<readonly string[]> {
  await prepareToWrite(db, options);
  await dropOld(db);
  const withoutSchema: string[] = [];
  for (const { name, options: found = {} } of await db.listCollections({}, { nameOnly: false }).toArray()) {
    const wanted = validationOf(name);
    if (wanted !== null && !isSame(found, wanted) && !(await isAllowed(db.command({ collMod: name, ...wanted })))) withoutSchema.push(name);
  }
  return withoutSchema;
}

/** Earlier versions added up days from packed numbers in an index, and kept a search index in the database. */
async function dropOld(db: Db): Promise<void> {
  const days = new Collections(db).writable('status_days');
  const old = (await days.indexes()).find(({ key }) => key['packed'] !== undefined);
  if (old?.name !== undefined) await days.dropIndex(old.name);
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

/** Documents that do not fit are stored, and logged by the server. */
function validationOf(name: string) {
  const schema = Object.entries(STORED_SCHEMAS).find(([collection]) => collection === name)?.[1];
  return schema === undefined ? null : ({ validator: { $jsonSchema: schema }, validationAction: 'warn' } as const);
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
  const { clock, lease = null, onProgress } = options;
  const commits = new Commits(new Collections(db), lease);
  await deriveFacts(commits, clock, 'all');
  onProgress('repositories: newest releases and activities');
  await rebuildActivity(commits);
  onProgress('repositories: commits and releases by day');
  await rebuildDays(commits, options);
}

/** The clocks of servers and collectors differ. This delay makes sure that a day is frozen before the first of its checks is deleted. */
const SPARED_MS = HOUR;
const KEY = { checkedAt: 1 } as const;

/** Makes the index of times delete raw checks that are older than the retention. Can be called again. A change needs a new index, because the role of a collector may not modify one. */
export async function ensureRetention(db: Db, retentionMs: number): Promise<void> {
  const expireAfterSeconds = Math.ceil((retentionMs + SPARED_MS) / SECOND);
  const checks = new Collections(db).writable('status_checks');
  const present = (await checks.indexes()).find(({ key }) => JSON.stringify(key) === JSON.stringify(KEY));
  if (present?.expireAfterSeconds === expireAfterSeconds) return;
  if (present?.name !== undefined) await checks.dropIndex(present.name);
  await checks.createIndexes([{ key: KEY, expireAfterSeconds }]);
}

/** How many days of one service are counted together. */
const DAYS_AT_ONCE = 8;

/** Counts every day of every service again from its raw checks. Days whose raw checks may be deleted keep their counts. Readers use the old counts meanwhile. */
export async function rebuildDays(
  commits: Commits,
  { clock, retentionMs = DEFAULT_RETENTION_MS, signal, onProgress }: ReindexOptions,
): Promise<void> {
  const writer = new CheckWriter(commits, { clock, retentionMs });
  const firstKept = startOfDay(clock.now() - retentionMs + DAY - 1);
  const serviceAfter = (key: string) => writer.inStore((store) => store.serviceAfter(key));
  const dayFrom = (key: string, day: Instant) => writer.inStore((store) => store.dayFrom(key, day));
  for (let key = await serviceAfter(''); key !== null; key = await serviceAfter(key)) {
    for (let day = await dayFrom(key, firstKept); day !== null; day = await dayFrom(key, day + DAYS_AT_ONCE * DAY)) {
      signal.throwIfAborted();
      await writer.recount(daysFrom(key, day), { signal });
    }
    // Also if no day is left.
    await writer.rebuildLatestState(key);
    onProgress(`checks: ${key}`);
  }
  const convertAfter = (id: string) => writer.inStore((store) => store.convertOldDays(id));
  for (let last = await convertAfter(''); last !== null; last = await convertAfter(last)) signal.throwIfAborted();
}

function daysFrom(serviceKey: string, day: Instant): readonly ServiceDay[] {
  return Array.from({ length: DAYS_AT_ONCE }, (_, index) => ({ serviceKey, day: day + index * DAY }));
}

/** Which sources vouch for a record, and in what they contradict it. */
const VOUCHERS_SCHEMA: BsonSchema = {
  bsonType: 'array',
  items: { bsonType: 'object', required: ['source'], properties: { source: { bsonType: 'string' }, says: { bsonType: 'object' } } },
};

const RECORD_SCHEMAS = Object.values<DocumentSpec>(DOCUMENTS).map(({ kind, collection, schema }) => {
  // Nobody vouches for sync records. The facts of a repository are stored a moment after the record.
  const vouchers = kind === 'sync' ? {} : { [VOUCHERS]: VOUCHERS_SCHEMA };
  const facts = kind === 'repository' ? repositoryFacts.schema['properties'] : {};
  return [collection, { ...schema, properties: { ...(schema['properties'] as object), ...vouchers, ...(facts as object) } }] as const;
});

/** The shape of every stored document that readers use, by collection, as a JSON Schema in MongoDB's dialect. */
export const STORED_SCHEMAS: Readonly<Partial<Record<CollectionName, BsonSchema>>> = {
  ...Object.fromEntries(RECORD_SCHEMAS),
  activity_days: activityDaySchema,
  activity_marks: activityMarkSchema,
  status_checks: checkSchema,
  status_days: daySchema,
  status_hours: hoursSchema,
  status_trails: latestSchema,
};
