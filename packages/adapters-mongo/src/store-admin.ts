import type { Clock } from '@vitrine/core';
import { MongoServerError, type Db, type Document } from 'mongodb';
import { ActivityWriter } from './activity/activity-writer.js';
import { COLLECTION_NAMES, Collections, ensureIndexes, namesIn, READ_BY_WRITERS, warningOf } from './collections.js';
import type { Lease } from './connection/held-lease.js';
import { DEFAULT_RETENTION_MS } from './create-mongo-readers.js';
import { ensureRetention } from './status/ensure-retention.js';
import { rebuildDays } from './status/rebuild-days.js';
import { STORED_SCHEMAS } from './stored-schemas.js';
import { Commits } from './writers/commits.js';
import { FactWriter } from './writers/fact-writer.js';

const UNAUTHORIZED = 13;

export interface StoreAdminOptions {
  readonly clock: Clock;
  /** How long raw checks are kept, in milliseconds; 400 days by default. */
  readonly retentionMs?: number;
}

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
  readonly lease?: Lease;
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
  const collections = new Collections(db, READ_BY_WRITERS);
  const commits = new Commits(collections, lease);
  await new FactWriter(collections, commits, clock).rebuild();
  onProgress('repositories: newest releases and activities');
  await new ActivityWriter(collections, commits).rebuild();
  onProgress('repositories: commits and releases by day');
  await rebuildDays(collections, commits, { clock, retentionMs, signal, onProgress });
}
