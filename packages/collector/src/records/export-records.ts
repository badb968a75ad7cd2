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
  /** Hears now and then how many records were written. */
  readonly onProgress?: (records: number) => void;
}

const CHUNK = 256 * 1_024;

/**
 * Writes every record of the store into a file that {@link importRecords} takes; resolves with their number. The file appears whole or
 * not at all: it is written under another name first. Rejects when the store cannot be read or the file cannot be written, and before
 * anything is read when something other than a file has that name: it would be replaced.
 */
export async function exportRecords(options: ExportOptions): Promise<number> {
  const temporary = `${options.file}.${randomUUID()}.part`;
  try {
    await requireReplaceable(options.file);
    const records = await writeRecords(temporary, options);
    await rename(temporary, options.file);
    return records;
  } catch (error) {
    // A file that could not be made need not go, and why it could not be made is what counts.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw writingFailed(options.file, error);
  }
}

/** A pipe or a device that is renamed over is gone, such as `/dev/null` for a user who may do that. */
async function requireReplaceable(file: string): Promise<void> {
  try {
    requireRegularFile(await stat(file));
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error;
  }
}

async function writeRecords(path: string, { collection, signal, onProgress }: ExportOptions): Promise<number> {
  const file = await open(path, 'wx');
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
