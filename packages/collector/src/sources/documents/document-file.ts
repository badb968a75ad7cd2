import { FileAccess, fileChunks } from '../../files/file-access.js';
import { lookAt } from '../records/records-files.js';
import type { FileText, ParsedFile, SourceFile } from './files-source.js';
import { stat } from 'node:fs/promises';
import { FileError, requireRegularFile } from '@vitrine/config/internal';
import { documentFileError } from './document-error.js';

/** Shared by all articles and changelogs of the process, because hanging operations block the same threads. */
export const diskAccess = new FileAccess();

export interface DiskFile {
  readonly path: string;
  /** Its stable name within the source. */
  readonly name: string;
}

/** A file on disk. @param parse is pure, and throws a `DocumentError` if the file cannot be used */
export function diskFile({ path, name }: DiskFile, maxBytes: number, parse: (file: FileText) => ParsedFile): SourceFile {
  return {
    name,
    look: (context) => lookAt({ path, isOneOfMany: true, isLink: false }, diskAccess, context),
    parse: async (times, { signal }) => parse({ name, text: await readTextFile(path, maxBytes, diskAccess, signal), ...times }),
  };
}

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
