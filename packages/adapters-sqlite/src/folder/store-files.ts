import { existsSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NEW_INCARNATION_SQL } from '../changes/sqlite-change-feed.js';
import { BUSY_MS, openDatabase, prepareDatabase } from '../database/open-database.js';
import { sqliteCodeOf, SqliteDatabase } from '../database/sqlite-database.js';
import { createFinished, isUnfinished, removeUnfinished } from './finished-file.js';
import { makeFolder } from './make-folder.js';
import { type FileIdentity, folderError, folderProblemOf, identityOf, requireInPlace, StoreFolderError, unreadable } from './store-folder-error.js';
import { removeTemporary, temporaryFolder } from './temporary-folder.js';

const CACHE_KIB = 16_384;
const PAUSE_MS = 20;

/** What a further connection to the files of an open store needs to know. */
export interface OpenFiles {
  readonly file: string;
  /** The files that the store has opened. Their path may name others meanwhile. */
  readonly identity: FileIdentity;
  readonly isTemporary: boolean;
}

export function connectTo({ file, identity, isTemporary }: OpenFiles, cacheKiB: number): SqliteDatabase {
  requireInPlace(file, identity);
  return openDatabase(file, isTemporary, cacheKiB);
}

export class StoreFiles implements OpenFiles {
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

  /** Opens the file of a folder. @param folder `null` for temporary files @param mustExist whether a folder without a store is refused with a `StoreFolderError`. If not, it is created */
  static async open(folder: string | null, mustExist = false): Promise<StoreFiles> {
    const isTemporary = folder === null;
    const path = folder ?? (await temporaryFolder());
    const file = await (mustExist && !isTemporary ? requireStore(path) : madeStore(path));
    return new StoreFiles(file, isTemporary, await openPrepared(file, isTemporary));
  }

  /** Call this when the threads have closed their connections. */
  async close(): Promise<void> {
    moveLogIntoFile(this.database);
    this.database.close();
    if (this.isTemporary) await removeTemporary(dirname(this.file));
  }
}

/** Creates the folder and its file if they do not exist, for this user only: a store also keeps records of repositories that are not approved. Resolves with the path of the file. */
async function madeStore(folder: string): Promise<string> {
  await checkFolder(folder);
  const file = join(folder, FILE_NAME);
  try {
    makeFolder(resolve(folder));
    if (!existsSync(file)) await createFinished(file, writeEmpty);
  } catch (error) {
    // Another process may have created the store, and removed what was not finished.
    if (!existsSync(file)) throw error instanceof StoreFolderError ? error : unreadable(folder, error);
  }
  await removeUnfinished(file).catch(() => undefined);
  return file;
}

/** An empty store in memory, from which files are made. A process that creates many stores makes the tables once. */
let empty: SqliteDatabase | null = null;

/** Not with a connection to the file, because the driver closes one late, and then the file has another name. */
function writeEmpty(file: string): void {
  empty ??= emptyInMemory();
  // Positions in the changes of one store mean nothing in another one.
  empty.run(NEW_INCARNATION_SQL);
  empty.run('vacuum into ?', file);
}

/** Kept only when all its tables are made: another try would otherwise make a file without tables. */
function emptyInMemory(): SqliteDatabase {
  const memory = new SqliteDatabase(':memory:');
  prepareDatabase(memory);
  return memory;
}

async function openPrepared(file: string, isTemporary: boolean): Promise<SqliteDatabase> {
  let database: SqliteDatabase | null = null;
  try {
    const opened = (database = openDatabase(file, isTemporary, CACHE_KIB));
    await whenUnlocked(() => prepareDatabase(opened));
    return opened;
  } catch (error) {
    if (error instanceof StoreFolderError) database?.close();
    throw folderProblemOf(error, file) ?? error;
  }
}

/** Several processes may be the first to open a file, and each gives it a log. SQLite does not wait for the others then, but rejects at once. */
async function whenUnlocked<Result>(run: () => Result): Promise<Result> {
  const end = performance.now() + BUSY_MS;
  for (;;) {
    try {
      return run();
    } catch (error) {
      if (sqliteCodeOf(error) !== 'SQLITE_BUSY' || performance.now() > end) throw error;
    }
    await pause(PAUSE_MS);
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

const FILE_NAME = 'vitrine.db';
/** Files of the format before SQLite. */
const OLD_FILE = /^(?:CURRENT|MANIFEST-\d+|\d+\.(?:ldb|sst|log)|vitrine\.closed)$/;
/** Files that the collector keeps in a data folder. A folder with only these files is accepted: its store was moved away. */
const BESIDE_STORE = /^(?:clones|source-runs-[\da-f]+\.json.*|collect-[\da-f]+\.sock(?:\.new)?)$/;

/** The names in a folder, of which none may belong to something else. A folder that does not exist is fine: it is created. Rejects with a `StoreFolderError`. */
async function checkFolder(folder: string): Promise<readonly string[]> {
  const names = (await namesIn(folder)).filter((name) => !isUnfinished(name, FILE_NAME));
  if (names.includes(FILE_NAME)) {
    await requireContent(folder);
    return names;
  }
  if (names.some((name) => OLD_FILE.test(name))) throw folderError('old-format', folder);
  const other = names.find((name) => !BESIDE_STORE.test(name));
  if (other?.startsWith(FILE_NAME) === true) throw folderError('damaged', folder, `its file ${FILE_NAME} is missing`);
  if (other !== undefined) throw folderError('not-a-store', folder, `it holds other files, such as ${other}`);
  return names;
}

/** SQLite takes a file without content for a new database, and removes its log. */
async function requireContent(folder: string): Promise<void> {
  const { size } = await stat(join(folder, FILE_NAME)).catch((error: unknown) => {
    throw unreadable(folder, error);
  });
  if (size === 0) throw folderError('damaged', folder, `its file ${FILE_NAME} is empty, which Vitrine never leaves behind`);
}

/** Rejects a folder in which no store was created yet: it does not exist, or is empty. Resolves with the path of the file. Rejects with a `StoreFolderError`. */
export async function requireStore(folder: string): Promise<string> {
  if (!(await checkFolder(folder)).includes(FILE_NAME)) throw folderError('missing', folder);
  return join(folder, FILE_NAME);
}

/** Checks the folder, and finds out whether this user can write into it, or create it: tries to create a folder there, and removes it again. */
export async function checkStoreFolder(folder: string): Promise<void> {
  await checkFolder(folder);
  try {
    await rmdir(await mkdtemp(join(await existingPartOf(resolve(folder)), '.vitrine-check-')));
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** The folder, or the nearest folder above it that exists. */
async function existingPartOf(path: string): Promise<string> {
  try {
    await lstat(path);
    return path;
  } catch (error) {
    if (hasCode(error, 'ENOENT') && dirname(path) !== path) return existingPartOf(dirname(path));
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw hasCode(error, 'ENOTDIR') ? folderError('not-a-store', folder, 'it is a file') : unreadable(folder, error);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
