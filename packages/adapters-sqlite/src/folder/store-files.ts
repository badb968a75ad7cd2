import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openDatabase, prepareDatabase, type FileProblem } from '../database/open-database.js';
import { MIGRATIONS } from '../database/schema.js';
import { SqliteDatabase } from '../database/sqlite-database.js';
import { createFinished, prepareFolder, removeUnfinished, requireStore } from './check-folder.js';
import { damaged, folderProblemOf, identityOf, newer, notAStore, StoreFolderError, unreadable, type FileIdentity } from './store-folder-error.js';

/** The pages that the connection of the calling thread keeps in memory, in KiB. */
const CACHE_KIB = 16_384;

/** The files of an open store, and the connection of the calling thread. */
export class StoreFiles {
  readonly identity: FileIdentity;

  private constructor(
    readonly file: string,
    readonly isTemporary: boolean,
    readonly database: SqliteDatabase,
  ) {
    // A connection opens the log when it reads.
    database.row('select count(*) from sqlite_master');
    this.identity = identityOf(file);
  }

  /**
   * Opens the file of a folder, and creates both if they do not exist. Rejects with a `StoreFolderError`.
   *
   * @param folder `null` for temporary files
   * @param mustExist whether a folder without a store is refused, and nothing is created
   */
  static async open(folder: string | null, mustExist = false): Promise<StoreFiles> {
    if (folder !== null && mustExist) {
      const file = await requireStore(folder);
      return new StoreFiles(file, false, openPrepared(file, false));
    }
    const isTemporary = folder === null;
    const file = await prepareFolder(folder ?? (await mkdtemp(join(tmpdir(), 'vitrine-'))));
    if (!existsSync(file)) await createStore(file);
    await removeUnfinished(file).catch(() => undefined);
    return new StoreFiles(file, isTemporary, openPrepared(file, isTemporary));
  }

  /** Call this when the threads have closed their connections. */
  async close(): Promise<void> {
    moveLogIntoFile(this.database);
    this.database.close();
    if (this.isTemporary) await rm(dirname(this.file), { recursive: true, force: true });
  }
}

/** A process that dies before the end leaves no file. */
async function createStore(file: string): Promise<void> {
  try {
    await createFinished(file, (made) => {
      // Not with a connection to the file, because the driver closes one late, and then the file has another name.
      const memory = new SqliteDatabase(':memory:');
      prepareDatabase(memory);
      memory.run('vacuum into ?', made);
      memory.close();
    });
  } catch (error) {
    // Another process may have created the store, and removed what was not finished.
    if (!existsSync(file)) throw error instanceof StoreFolderError ? error : unreadable(dirname(file), String(error), error);
  }
}

function refusalOf({ problem, format }: FileProblem, folder: string): StoreFolderError {
  if (problem === 'newer') return newer(folder, format, MIGRATIONS.length);
  return problem === 'cut' ? damaged(folder, 'the end of its file is missing') : notAStore(folder, 'its file belongs to another program');
}

function openPrepared(file: string, isTemporary: boolean): SqliteDatabase {
  try {
    const database = openDatabase(file, { isTemporary, cacheKiB: CACHE_KIB });
    const found = prepareDatabase(database);
    if (found === null) return database;
    database.close();
    throw refusalOf(found, dirname(file));
  } catch (error) {
    throw folderProblemOf(error, file) ?? error;
  }
}

/** So that the file alone is the whole store as long as no process uses it. If another process does, its log stays. */
function moveLogIntoFile(database: SqliteDatabase): void {
  try {
    database.row('pragma busy_timeout = 0');
    database.row('pragma wal_checkpoint(truncate)');
  } catch {
    // The log is moved at the next opening: everything in it is durable.
  }
}
