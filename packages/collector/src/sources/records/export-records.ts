import { type FileHandle, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { errorCodeOf, requireRegularFile } from '@vitrine/config/internal';
import { withServiceAddress, type CollectionReader } from '@vitrine/core';
import { writeWhole } from '../../files/write-whole.js';
import { encodeLine } from './encode-line.js';
import { writingFailed } from '../../files/file-access.js';

export interface ExportOptions {
  readonly file: string;
  /** Written instead of the file. It is not ended. `file` is then only its name in messages. */
  readonly output?: Writable;
  readonly collection: CollectionReader;
  readonly signal: AbortSignal;
  /** Called from time to time with the number of written records. */
  readonly onProgress?: (records: number) => void;
}

const CHUNK = 256 * 1_024;
/** Only the owner may read the file, because it also holds the records of repositories that are not approved. */
const PRIVATE = 0o600;

/**
 * Writes every record of the store to a file that {@link importRecords} can read, one line for each source that vouches for it. Resolves with the number of lines. The file
 * appears only when it is complete. Rejects if the store cannot be read, the file cannot be written, or the path is not a regular file, which a rename would replace.
 */
export async function exportRecords(options: ExportOptions): Promise<number> {
  const { file, output, signal } = options;
  if (output !== undefined) return appendRecords((text) => written(output, text, signal), options);
  let records = 0;
  const content = async (handle: FileHandle): Promise<void> => {
    records = await appendRecords((text) => handle.appendFile(text), options);
  };
  try {
    await requireReplaceable(file);
    await writeWhole(file, content, { mode: PRIVATE });
    return records;
  } catch (error) {
    throw writingFailed(file, error);
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

async function appendRecords(append: (text: string) => Promise<void>, { collection, signal, onProgress }: ExportOptions): Promise<number> {
  const services = new Map((await collection.services({ signal })).map((service) => [service.key, service]));
  let records = 0;
  let chunk = '';
  for await (const { record, source } of collection.statements({ signal })) {
    signal.throwIfAborted();
    const shown = record.kind === 'check' ? withServiceAddress(record, services.get(record.serviceKey)) : record;
    chunk += `${encodeLine(shown, source)}\n`;
    records++;
    if (chunk.length < CHUNK) continue;
    await append(chunk);
    chunk = '';
    onProgress?.(records);
  }
  await append(chunk);
  return records;
}

/** Waits until the reader has taken the text, or the signal aborts. */
async function written(output: Writable, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    output.write(text, (error) => {
      signal.removeEventListener('abort', abort);
      if (error === undefined || error === null) resolve();
      else reject(error);
    });
  });
}
