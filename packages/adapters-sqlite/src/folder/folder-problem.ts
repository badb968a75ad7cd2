import { dirname } from 'node:path';
import { sqliteCodeOf } from '../database/sqlite-error.js';
import { damaged, inUse, unreadable, unwritable, type StoreFolderError } from './store-folder-error.js';

/** A damaged file can also look like a wrong schema, a wrong type, or a contradiction between tables. */
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB|ERROR|CONSTRAINT|MISMATCH|FORMAT)/;

/** What an error of SQLite means for the data folder; `null` for another error. */
export function folderProblemOf(error: unknown, file: string): StoreFolderError | null {
  const code = sqliteCodeOf(error);
  if (code === null || !(error instanceof Error)) return null;
  const folder = dirname(file);
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return inUse(folder, error);
  if (DAMAGE.test(code)) return damaged(folder, error.message, error);
  if (/^SQLITE_(?:FULL|IOERR|READONLY)/.test(code)) return unwritable(folder, error.message, error);
  return code.startsWith('SQLITE_CANTOPEN') ? unreadable(folder, error.message, error) : null;
}

/** The same for an error of a write: a file that cannot be opened now can be read by the connections that are open. */
export function writeProblemOf(error: unknown, file: string): StoreFolderError | null {
  const problem = folderProblemOf(error, file);
  return problem?.problem === 'unreadable' ? unwritable(problem.folder, String(error), error) : problem;
}
