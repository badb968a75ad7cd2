import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  NO_REPOSITORY,
  SEARCHED_KINDS,
  type ApprovedRepositories,
  type RecordScan,
  type RepositoryRef,
  type ScopeRef,
  type SearchableRecord,
  type TimePosition,
} from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { IndexedRecords } from './indexed-records.js';

type Kind = SearchableRecord['kind'];

/** Records of one page of the scan. */
const PAGE = 100;
/** Records that one transaction writes. Searches wait that long. */
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
    for (let at = 0; at < items.length; at += BATCH) {
      this.#write(items.slice(at, at + BATCH));
      await nextTurn();
    }
    const { time, id } = next ?? END;
    this.database.run('insert or replace into fill values (?, ?, ?, ?)', kind, time, id, next === null ? 1 : 0);
  }

  /** The first scan reads everything, so that the newest records of all repositories come first. Later ones read one repository each. */
  #permission(approved: ApprovedRepositories, ref: ScopeRef | null): ApprovedRepositories {
    return ref === null || ref === NO_REPOSITORY ? approved : approved.only(ref);
  }

  #write(records: readonly SearchableRecord[]): void {
    this.database.transaction(() => {
      for (const record of records) this.records.put(record);
      this.records.finish();
    });
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
