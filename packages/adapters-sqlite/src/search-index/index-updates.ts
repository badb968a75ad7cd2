import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ApprovedRepositories,
  type ChangeFeed,
  type FeedChange,
  keyOfIdentity,
  NO_REPOSITORY,
  type ReadContext,
  type RecordScan,
  type RepositoryRef,
  type ScopeRef,
  type SearchableRecord,
  SEARCHED_KINDS,
  type TimePosition,
} from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { IndexedRecords } from './indexed-records.js';

type Kind = SearchableRecord['kind'];

/** Records of one page of the scan. */
const PAGE = 100;
/** Records that one transaction writes. */
const BATCH = 25;

/** Repositories come first, because their names count for their records. */
const KINDS: readonly Kind[] = ['repository', ...SEARCHED_KINDS.filter((kind) => kind !== 'repository')];

/** The position of a scan that is complete. */
const END: TimePosition = { time: 0, id: '' };

/** How far the scan of a kind has come; `null`: not begun. */
type Progress = { readonly position: TimePosition; readonly isDone: boolean } | null;

/** Reads the records of repositories whose entries are not complete, newest first. The progress is stored, so that a new process continues. */
export class IndexFill {
  constructor(
    private readonly database: SqliteDatabase,
    private readonly records: IndexedRecords,
    private readonly scan: RecordScan,
  ) {}

  /** Whether something is left to read. */
  get isPending(): boolean {
    return this.#incomplete() !== null;
  }

  /** Reads the records of a repository again, because the words of all its entries may have changed. Call this in a transaction. */
  again(ref: ScopeRef | null): void {
    this.restart();
    this.database.run('update search_scope set is_complete = 0 where ref = coalesce(?, ref)', ref);
  }

  /** Begins the present scan again, because the list has changed. Call this in a transaction. */
  restart(): void {
    this.database.exec('delete from fill');
  }

  /** Reads and writes the next page. */
  async next(approved: ApprovedRepositories, signal: AbortSignal): Promise<void> {
    const ref = this.#incomplete();
    const kind = ref === null ? null : this.#nextKind();
    if (kind === null) {
      this.#complete(ref);
      return;
    }
    const [permission, after] = [this.#permission(approved, ref), this.#progressOf(kind)?.position ?? null];
    const { items, next } = await this.scan.page(permission, { kind, limit: PAGE, after }, { signal });
    await inBatches(this.database, items, (batch) => {
      for (const record of batch) this.records.put(record);
      this.records.finish();
    });
    const { time, id } = next ?? END;
    this.database.run('insert or replace into fill values (?, ?, ?, ?)', kind, time, id, next === null ? 1 : 0);
  }

  /** The first scan reads everything, so that the newest records of all repositories come first. Later ones read one repository each. */
  #permission(approved: ApprovedRepositories, ref: ScopeRef | null): ApprovedRepositories {
    return ref === null || ref === NO_REPOSITORY ? approved : approved.only(ref);
  }

  /** The kind whose next record is the newest. */
  #nextKind(): Kind | null {
    const found = KINDS.map((kind) => ({ kind, progress: this.#progressOf(kind) })).filter(({ progress }) => progress?.isDone !== true);
    return found.sort((a, b) => timeOf(b.progress) - timeOf(a.progress))[0]?.kind ?? null;
  }

  #progressOf(kind: Kind): Progress {
    const row = this.database.row('select time, id, is_done from fill where kind = ?', kind);
    return row === null ? null : { position: { time: Number(row[0]), id: String(row[1]) }, isDone: row[2] === 1 };
  }

  #complete(ref: ScopeRef | null): void {
    this.database.transaction(() => {
      this.restart();
      this.database.run('update search_scope set is_complete = 1 where ref = coalesce(?, ref)', ref === NO_REPOSITORY ? null : ref);
    });
  }

  /** `-` comes first: it is only incomplete until everything was read once. */
  #incomplete(): RepositoryRef | typeof NO_REPOSITORY | null {
    const row = this.database.row('select ref from search_scope where is_complete = 0 order by ref limit 1');
    return row === null ? null : (String(row[0]) as RepositoryRef);
  }
}

/** Larger than every time, for scans that have not started and for kinds without a time: they come first. */
function timeOf(progress: Progress): number {
  return progress?.position.time ?? Number.MAX_SAFE_INTEGER;
}

const SEARCHED: ReadonlySet<string> = new Set(SEARCHED_KINDS);
/** Changes that one call reads. */
const CHANGES = 1_000;

/** What an index is made from. */
export interface IndexedStore {
  readonly scan: RecordScan;
  readonly feed: ChangeFeed;
  /** Hears the changes of approved records when searches show them. */
  readonly onIndexed?: ((changes: readonly FeedChange[]) => void) | undefined;
}

/** Writes changed records into the index. Each changed record is read again, so the order of changes does not matter, and neither does a repetition. */
export class IndexFollower {
  constructor(
    private readonly database: SqliteDatabase,
    private readonly records: IndexedRecords,
    private readonly fill: IndexFill,
    private readonly store: IndexedStore,
  ) {}

  /** Reads the next changes. Resolves with whether there were any. @param waitMs how long to wait for the first one */
  async next(approved: ApprovedRepositories, waitMs: number, context: ReadContext): Promise<boolean> {
    const stored = this.database.row('select position from indexed')?.[0];
    const known = typeof stored === 'string' ? stored : null;
    const { isTooOld, changes, position } = await this.store.feed.changesSince(known, { limit: CHANGES, waitMs }, context);
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
      // Several records of a repository have changed; `null`: of any.
      else this.database.transaction(() => this.fill.again(repositoryRef));
    }
    for (const [kind, changed] of keys) await this.#align(kind, [...changed], approved, context);
    if (keys.size > 0) this.store.onIndexed?.(concerned);
  }

  async #align(kind: Kind, keys: readonly string[], approved: ApprovedRepositories, context: ReadContext): Promise<void> {
    const found = await this.store.scan.byKeys(approved, kind, keys, context);
    const records = new Map(found.map((record) => [keyOfIdentity(record), record]));
    await inBatches(this.database, keys, (batch) => {
      for (const key of batch) {
        const record = records.get(key);
        const isSameName = record === undefined ? this.records.remove(kind, key) : this.records.put(record);
        // The key of a repository is its ref.
        if (!isSameName) this.fill.again(key as RepositoryRef);
      }
      this.records.finish();
    });
  }
}

/** Each batch is a transaction. Searches wait that long. */
async function inBatches<Item>(database: SqliteDatabase, items: readonly Item[], write: (batch: readonly Item[]) => void): Promise<void> {
  for (let at = 0; at < items.length; at += BATCH) {
    database.transaction(() => write(items.slice(at, at + BATCH)));
    await nextTurn();
  }
}

/** Whether approved records may have changed. */
function isConcerned({ operation, repositoryRef }: FeedChange, approved: ApprovedRepositories): boolean {
  return operation !== 'index' && (repositoryRef === null || approved.admits(repositoryRef));
}

function isSearchableKind(kind: FeedChange['kind']): kind is Kind {
  return SEARCHED.has(kind);
}
