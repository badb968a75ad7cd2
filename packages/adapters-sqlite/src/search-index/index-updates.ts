import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { keyOfIdentity, nameOfRef, NO_REPOSITORY, scopeOf, SEARCHED_KINDS } from '@vitrine/core';
import type {
  ApprovedRepositories,
  ChangeFeed,
  FeedChange,
  ReadContext,
  RecordScan,
  RepositoryRef,
  ScopeRef,
  SearchableRecord,
  TimePosition,
} from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { listTimeOf, ScopeIds } from '../records/reading.js';
import { EntryTable, isSameName, RepositoryNames, secondOf } from '../search/entry-table.js';
import { SearchScope } from '../search/search-scope.js';

type Kind = SearchableRecord['kind'];

/** Records in one page of the scan and in one transaction, and changes that one call reads. */
const [PAGE, BATCH, CHANGES] = [100, 25, 1_000];

/** Repositories come first, because their names count for their records. */
const KINDS: readonly Kind[] = ['repository', ...SEARCHED_KINDS.filter((kind) => kind !== 'repository')];

export interface IndexedStore {
  readonly scan: RecordScan;
  readonly feed: ChangeFeed;
  /** Called when the index has changes of approved records, and searches show them. */
  readonly onIndexed?: (changes: readonly FeedChange[]) => void;
}

/** Fills an index and follows the changes of its store. The progress of both is stored, so that a new process continues. */
export class IndexUpdates {
  readonly records: IndexedRecords;
  readonly scope: SearchScope;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly store: IndexedStore,
  ) {
    this.records = new IndexedRecords(database);
    this.scope = new SearchScope(database);
  }

  get isFilling(): boolean {
    return this.scope.incomplete() !== null;
  }

  /** Begins the present scan again, because the list has changed. Call this in a transaction. */
  restartFill(): void {
    this.database.exec('delete from fill');
  }

  /** Reads the next records of repositories whose entries are not complete, newest first. */
  async fillNext(approved: ApprovedRepositories, signal: AbortSignal): Promise<void> {
    // `-` comes first: it is only incomplete until everything was read once.
    const ref = this.scope.incomplete();
    const kind = ref === null ? null : this.#nextKind();
    if (kind === null) {
      this.#complete(ref);
      return;
    }
    const query = { kind, limit: PAGE, after: this.#progressOf(kind)?.position ?? null };
    const { items, next } = await this.store.scan.page(permissionFor(ref, approved), query, { signal });
    await inBatches(this.database, items, (batch) => {
      for (const record of batch) this.records.put(record);
      this.records.entries.finish();
    });
    const { time, id } = next ?? { time: 0, id: '' };
    this.database.run('insert or replace into fill values (?, ?, ?, ?)', kind, time, id, next === null ? 1 : 0);
  }

  #nextKind(): Kind | null {
    const found = KINDS.map((kind) => ({ kind, progress: this.#progressOf(kind) })).filter(({ progress }) => progress?.isDone !== true);
    // Scans that have not started and kinds without a time come first.
    const timeOf = (one: (typeof found)[number]): number => one.progress?.position.time ?? Number.MAX_SAFE_INTEGER;
    return found.sort((a, b) => timeOf(b) - timeOf(a))[0]?.kind ?? null;
  }

  /** How far the scan of a kind has come; `null`: not begun. */
  #progressOf(kind: Kind): { readonly position: TimePosition; readonly isDone: boolean } | null {
    const row = this.database.row('select time, id, is_done from fill where kind = ?', kind);
    return row === null ? null : { position: { time: Number(row[0]), id: String(row[1]) }, isDone: row[2] === 1 };
  }

  #complete(ref: ScopeRef | null): void {
    this.database.transaction(() => {
      this.restartFill();
      this.scope.setComplete(ref === NO_REPOSITORY ? null : ref, true);
    });
  }

  /** Fills a repository again, because the words of all its entries may have changed; `null`: any. Call this in a transaction. */
  #fillAgain(ref: ScopeRef | null): void {
    this.restartFill();
    this.scope.setComplete(ref, false);
  }

  /** Reads the next changes, and each changed record again, so their order does not matter. Resolves with whether there were any. @param waitMs how long to wait for the first one */
  async followNext(approved: ApprovedRepositories, waitMs: number, context: ReadContext): Promise<boolean> {
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
    // Changes of approved records, or perhaps of some.
    const concerned = changes.filter(({ operation, repositoryRef: ref }) => operation !== 'index' && (ref === null || approved.admits(ref)));
    for (const { kind: changed, key, repositoryRef } of concerned) {
      const kind = KINDS.find((one) => one === changed);
      if (kind === undefined) continue;
      if (key !== null) keys.set(kind, (keys.get(kind) ?? new Set()).add(key));
      // Several records of a repository have changed; `null`: of any.
      else this.database.transaction(() => this.#fillAgain(repositoryRef));
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
        if (!isSameName) this.#fillAgain(key as RepositoryRef);
      }
      this.records.entries.finish();
    });
  }
}

/** The first scan reads everything, so that the newest records of all repositories come first. Later ones read one repository each. */
function permissionFor(ref: ScopeRef | null, approved: ApprovedRepositories): ApprovedRepositories {
  return ref === null || ref === NO_REPOSITORY ? approved : approved.only(ref);
}

/** Each batch is a transaction. Searches wait that long. */
async function inBatches<Item>(database: SqliteDatabase, items: readonly Item[], write: (batch: readonly Item[]) => void): Promise<void> {
  for (let at = 0; at < items.length; at += BATCH) {
    database.transaction(() => write(items.slice(at, at + BATCH)));
    await nextTurn();
  }
}

const HASH_BYTES = 8;
const FIND_SQL = 'select id, scope, time, hex(words) from record where hash = ? and kind = ? and key = ?';
const INSERT_SQL = 'insert into record (hash, kind, key, scope, time, words) values (?, ?, ?, ?, ?, ?)';
const UPDATE_SQL = 'update record set scope = ?, time = ?, words = ? where id = ?';

/** The records of the index: their keys and their words. All methods that write run inside a transaction, which {@link EntryTable.finish} ends. */
export class IndexedRecords {
  readonly scopes: ScopeIds;
  readonly entries: EntryTable;
  #count: number | null = null;

  constructor(private readonly database: SqliteDatabase) {
    this.scopes = new ScopeIds(database);
    this.entries = new EntryTable(database, new RepositoryNames(database, 'select name from scope where ref = ?'));
  }

  get count(): number {
    return (this.#count ??= this.database.number('select count(*) from search_entry'));
  }

  /** Writes the entry of the present version of a record. Returns `false` if other entries of its repository have words of another name of it. */
  put(record: SearchableRecord): boolean {
    const [key, scope, time, second] = [keyOfIdentity(record), this.scopes.create(scopeOf(record)), listTimeOf(record), secondOf(record)];
    const text = this.entries.wordsOf(record);
    const words = createHash('sha256').update(`${second} ${text}`).digest().subarray(0, HASH_BYTES);
    const hash = hashOf(record.kind, key);
    const known = this.database.row(FIND_SQL, hash, record.kind, key);
    if (known === null) {
      this.entries.addWords(Number(this.database.run(INSERT_SQL, hash, record.kind, key, scope, time, words).lastInsertRowid), second, text);
      if (this.#count !== null) this.#count += 1;
    } else if (known[3] !== words.toString('hex').toUpperCase()) {
      this.database.run(UPDATE_SQL, scope, time, words, Number(known[0]));
      this.entries.remove(Number(known[0]));
      this.entries.addWords(Number(known[0]), second, text);
    } else if (known[1] !== scope || known[2] !== time) this.database.run(UPDATE_SQL, scope, time, words, Number(known[0]));
    return record.kind !== 'repository' || this.#rename(record.repositoryRef, record.fullName);
  }

  /** Removes a record that may have an entry. Returns as {@link IndexedRecords.put} does. */
  remove(kind: SearchableRecord['kind'], key: string): boolean {
    const known = this.database.row(FIND_SQL, hashOf(kind, key), kind, key);
    if (known === null) return true;
    this.removeEntry(Number(known[0]));
    return kind !== 'repository' || this.#rename(key as RepositoryRef, nameOfRef(key as RepositoryRef));
  }

  removeEntry(id: number): void {
    this.entries.remove(id);
    this.database.run('delete from record where id = ?', id);
    if (this.#count !== null) this.#count -= 1;
  }

  clear(): void {
    this.database.exec(`
      delete from record; delete from search_entry; delete from fill;
      insert into search_words (search_words) values ('delete-all');
      update scope set name = null; update search_scope set is_complete = 0; update search_state set is_swept = 1;
    `);
    this.entries.names.forget();
    this.#count = 0;
  }

  #rename(ref: RepositoryRef, name: string): boolean {
    const before = this.entries.names.nameOf(ref);
    this.database.run('update scope set name = ? where ref = ?', name, ref);
    if (name !== before) this.entries.names.forget();
    return isSameName(before, name);
  }
}

/** 32 bits, so that few records share one. */
function hashOf(kind: SearchableRecord['kind'], key: string): number {
  return createHash('sha256').update(`${kind} ${key}`).digest().readUInt32BE();
}
