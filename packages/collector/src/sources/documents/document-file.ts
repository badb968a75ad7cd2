import { readingFailed } from '../../files/path-error.js';
import { FileAccess, fileChunks } from '../../files/file-access.js';
import { lookAt, versionOf } from '../records/records-files.js';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageFile } from './file-state.js';
import type { SourceFile } from './files-source.js';
import { errorCodeOf, FileError, requireRegularFile } from '@vitrine/config/internal';
import type { SourceContext } from '../../running/source.js';

/** Shared by all articles and changelogs of the process, because hanging operations block the same threads. */
export const diskAccess = new FileAccess();

export interface DiskFile {
  readonly path: string;
  /** Its stable name within the source. */
  readonly name: string;
}

/** A file on disk. */
export function diskFile({ path, name }: DiskFile, maxBytes: number, parts: Pick<SourceFile, 'parse' | 'images'>): SourceFile {
  return {
    ...parts,
    name,
    look: (context) => lookAt({ path, isOneOfMany: true, isLink: false }, diskAccess, context),
    read: ({ signal }) => readTextFile(path, maxBytes, diskAccess, signal),
  };
}

/** A file below a folder; `null` if there is none, or if the path leads over a link, which can be to something that is not meant to be published. */
export async function imageOnDisk(folder: string, name: string, context: SourceContext): Promise<ImageFile | null> {
  const path = join(folder, name);
  try {
    const [root, real] = await diskAccess.run(path, context.signal, () => Promise.all([realpath(folder), realpath(path)]));
    const stats = await diskAccess.run(path, context.signal, () => stat(path, { bigint: true }));
    if (real !== join(root, name) || !stats.isFile()) return null;
    const read = () => readBytes(path, Number(stats.size), diskAccess, context.signal);
    return { version: versionOf(stats, context.clock.now()), bytes: Number(stats.size), read };
  } catch (error) {
    if (NO_IMAGE.has(errorCodeOf(error))) return null;
    throw readingFailed(path, error);
  }
}

/** Also of a name that no file can have, and of a file that this user may not read. Then the text is shown without the image. */
const NO_IMAGE: ReadonlySet<string | null> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM', 'ERR_INVALID_ARG_VALUE']);

/** The text of a UTF-8 file without its byte order mark. Rejects with a `PathError` if it cannot be read or is larger than `maxBytes`. */
export async function readTextFile(path: string, maxBytes: number, access: FileAccess, signal: AbortSignal): Promise<string> {
  return new TextDecoder().decode(await readBytes(path, maxBytes, access, signal)).replace(/\r\n?/g, '\n');
}

async function readBytes(path: string, maxBytes: number, access: FileAccess, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of fileChunks(path, access, signal)) {
      size += chunk.length;
      if (size > maxBytes) throw new FileError(`is larger than ${String(maxBytes)} bytes`, 'split it');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    throw readingFailed(path, error);
  }
}

/** Rejects with a `PathError` if there is no regular file. */
export async function requireFile(path: string, access: FileAccess, signal: AbortSignal): Promise<void> {
  try {
    requireRegularFile(await access.run(path, signal, () => stat(path)));
  } catch (error) {
    throw readingFailed(path, error);
  }
}
