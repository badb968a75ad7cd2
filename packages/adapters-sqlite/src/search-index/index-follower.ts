import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  keyOfIdentity,
  SEARCHED_KINDS,
  type ApprovedRepositories,
  type ChangeFeed,
  type FeedChange,
  type ReadContext,
  type RecordScan,
  type RepositoryRef,
  type SearchableRecord,
} from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { IndexFill } from './index-fill.js';
import type { IndexedRecords } from './indexed-records.js';

type Kind = SearchableRecord['kind'];

const SEARCHED: ReadonlySet<string> = new Set(SEARCHED_KINDS);
/** Changes that one call reads. */
const CHANGES = 1_000;
/** Records that one transaction writes. Searches wait that long. */
const BATCH = 50;

/** What an index is made from. */
export interface IndexedStore {
  readonly scan: RecordScan;
  readonly feed: ChangeFeed;
  /** Hears the changes of approved records when searches show them. */
  readonly onIndexed?: ((changes: readonly FeedChange[]) => void) | undefined;
}

/** Writes changed records into the index. Each changed record is read again, so the order of changes does not matter, and neither does a repetition. */
export class IndexFollower {
  readonly #scan: RecordScan;
  readonly #feed: ChangeFeed;
  readonly #onIndexed: ((changes: readonly FeedChange[]) => void) | undefined;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly records: IndexedRecords,
    private readonly fill: IndexFill,
    ports: IndexedStore,
  ) {
    this.#scan = ports.scan;
    this.#feed = ports.feed;
    this.#onIndexed = ports.onIndexed;
  }

  /** Reads the next changes. Resolves with whether there were any. @param waitMs how long to wait for the first one */
  async next(approved: ApprovedRepositories, waitMs: number, context: ReadContext): Promise<boolean> {
    const stored = this.database.row('select position from indexed')?.[0];
    const known = typeof stored === 'string' ? stored : null;
    const { isTooOld, changes, position } = await this.#feed.changesSince(known, { limit: CHANGES, waitMs }, context);
    if (!isTooOld) await this.#apply(changes, approved, context);
    this.database.transaction(() => {
      if (isTooOld) this.records.clear();
      if (position !== known) this.database.run('update indexed set position = ?', position);
    });
    return isTooOld || changes.length > 0;
  }

  async #apply(changes: readonly FeedChange[], approved: ApprovedRepositories, context: ReadContext): Promise<void> {
    const keys = new Map<Kind, Set<string>>();
    const concerned = changes.filter((change) => isConcerned(change, approved));
    for (const { kind, key, repositoryRef } of concerned) {
      if (!isSearchableKind(kind)) continue;
      if (key !== null) keys.set(kind, (keys.get(kind) ?? new Set()).add(key));
      else this.#again(repositoryRef);
    }
    for (const [kind, changed] of keys) await this.#align(kind, [...changed], approved, context);
    if (keys.size > 0) this.#onIndexed?.(concerned);
  }

  async #align(kind: Kind, keys: readonly string[], approved: ApprovedRepositories, context: ReadContext): Promise<void> {
    const found = await this.#scan.byKeys(approved, kind, keys, context);
    const records = new Map(found.map((record) => [keyOfIdentity(record), record]));
    for (let at = 0; at < keys.length; at += BATCH) {
      this.#write(kind, keys.slice(at, at + BATCH), records);
      await nextTurn();
    }
  }

  #write(kind: Kind, keys: readonly string[], records: ReadonlyMap<string, SearchableRecord>): void {
    this.database.transaction(() => {
      for (const key of keys) {
        const record = records.get(key);
        const isSameName = record === undefined ? this.records.remove(kind, key) : this.records.put(record);
        // The key of a repository is its ref.
        if (!isSameName) this.fill.again(key as RepositoryRef);
      }
      this.records.finish();
    });
  }

  /** Several records of a repository have changed; `null`: of any. */
  #again(ref: FeedChange['repositoryRef']): void {
    this.database.transaction(() => {
      this.fill.again(ref);
    });
  }
}

/** Whether approved records may have changed. */
function isConcerned({ operation, repositoryRef }: FeedChange, approved: ApprovedRepositories): boolean {
  return operation !== 'index' && (repositoryRef === null || approved.admits(repositoryRef));
}

function isSearchableKind(kind: FeedChange['kind']): kind is Kind {
  return SEARCHED.has(kind);
}
