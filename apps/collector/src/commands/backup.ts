import { requireStore } from '@vitrine/adapters-sqlite';
import { readConfig } from '@vitrine/config';
import type { CommandContext } from '../command-context.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { requireFolder, UsageError } from '../usage-error.js';
import { withFolder } from '../with-folder.js';

/** Copies the store into a new file, while other processes use it. */
export async function backup(file: string, context: CommandContext): Promise<ExitCode> {
  const config = await readConfig(context.env);
  requireFolder(config);
  const { store } = config;
  if (store.kind === 'mongodb') throw new UsageError(`${config.file} keeps records in MongoDB. Use mongodump to back up the database.`);
  if (store.path !== null) await requireStore(store.path);
  await withFolder(store, context, (opened) => opened.backup(file)).catch((error: unknown) => {
    throw usageErrorOf(error, file) ?? error;
  });
  context.print(`${file}: the store of ${String(store.path)} was copied. To restore it, put the file as vitrine.db into an empty folder.`);
  return EXIT.fine;
}

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['EEXIST', 'exists. Name a new file, because a backup never replaces one.'],
  ['ENOENT', 'cannot be written, because its folder does not exist.'],
  ['ENOTDIR', 'cannot be written, because its folder does not exist.'],
  ['EACCES', 'cannot be written. Name a file in a folder that you may write.'],
  ['EROFS', 'cannot be written. Name a file in a folder that you may write.'],
]);

/** Why the file cannot be created; `null` for an error that has nothing to do with it. */
function usageErrorOf(error: unknown, file: string): UsageError | null {
  const reason = typeof error === 'object' && error !== null && 'code' in error ? REASONS.get(error.code) : undefined;
  return reason === undefined ? null : new UsageError(`${file} ${reason}`);
}
