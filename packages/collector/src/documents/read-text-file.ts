import { stat } from 'node:fs/promises';
import { FileError, requireRegularFile } from '@vitrine/config/internal';
import type { FileAccess } from '../files/file-access.js';
import { fileChunks } from '../files/file-chunks.js';
import { documentFileError } from './document-file-error.js';

/** The text of a UTF-8 file without its byte order mark. Rejects with a `DocumentFileError` if it cannot be read or is larger than `maxBytes`. */
export async function readTextFile(path: string, maxBytes: number, access: FileAccess, signal: AbortSignal): Promise<string> {
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of fileChunks(path, access, signal)) {
      size += chunk.length;
      if (size > maxBytes) throw new FileError(`is larger than ${String(maxBytes)} bytes`, 'split it');
      chunks.push(chunk);
    }
    return new TextDecoder().decode(Buffer.concat(chunks)).replace(/\r\n?/g, '\n');
  } catch (error) {
    throw documentFileError(path, error);
  }
}

/** Rejects with a `DocumentFileError` if there is no regular file. */
export async function requireFile(path: string, access: FileAccess, signal: AbortSignal): Promise<void> {
  try {
    requireRegularFile(await access.run(path, signal, () => stat(path)));
  } catch (error) {
    throw documentFileError(path, error);
  }
}
