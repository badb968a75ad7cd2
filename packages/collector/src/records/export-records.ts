import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { errorCodeOf, requireRegularFile } from '@vitrine/config/internal';
import type { CollectionReader } from '@vitrine/core';
import { encodeLine } from './encode-line.js';
import { writingFailed } from './records-file-error.js';

export interface ExportOptions {
  readonly file: string;
  readonly collection: CollectionReader;
  readonly signal: AbortSignal;
  /** Called from time to time with the number of written records. */
  readonly onProgress?: (records: number) => void;
}

const CHUNK = 256 * 1_024;
/** Only the owner may read the file, because it also holds the records of repositories that are not approved. */
const PRIVATE = 0o600;

/**
 * Writes every record of the store to a file that {@link importRecords} can read. Resolves with their number. The file is written under a temporary name
 * and renamed at the end, so it is never incomplete. Rejects if the store cannot be read or the file cannot be written. Also rejects, before
 * anything is read, if the path is not a regular file, because the rename would replace it.
 */
export async function exportRecords(options: ExportOptions): Promise<number> {
  const temporary = `${options.file}.${randomUUID()}.part`;
  try {
    await requireReplaceable(options.file);
    const records = await writeRecords(temporary, options);
    await rename(temporary, options.file);
    return records;
  } catch (error) {
    // If the file could not be created, the removal fails too. Only the first error matters.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw writingFailed(options.file, error);
  }
}

/** A rename would replace a pipe or a device, such as `/dev/null` if the user may write to `/dev`. */
async function requireReplaceable(file: string): Promise<void> {
  try {
    requireRegularFile(await stat(file));
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error;
  }
}

async function writeRecords(path: string, { collection, signal, onProgress }: ExportOptions): Promise<number> {
  const file = await open(path, 'wx', PRIVATE);
  let records = 0;
  try {
    let chunk = '';
    for await (const record of collection.records({ signal })) {
      signal.throwIfAborted();
      chunk += `${encodeLine(record)}\n`;
      records++;
      if (chunk.length < CHUNK) continue;
      await file.appendFile(chunk);
      chunk = '';
      onProgress?.(records);
    }
    await file.appendFile(chunk);
    await file.sync();
    return records;
  } finally {
    await file.close();
  }
}
