import { FileError } from './file-error.js';
import { openRegularFile } from './open-regular-file.js';

const CHUNK_BYTES = 64 * 1_024;
const MEGABYTE = 1_024 * 1_024;

/** The content of a regular file. Rejects with a {@link FileError} when it is something else, or has more than `maxBytes`. */
export async function readWholeFile(path: string, maxBytes: number): Promise<Buffer> {
  const { handle, stats } = await openRegularFile(path);
  try {
    if (stats.size > maxBytes) throw tooLarge(maxBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      // One byte more than the file had shows in most cases at once that it has ended.
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(Math.max(CHUNK_BYTES, stats.size - size + 1)) });
      if (bytesRead === 0) return Buffer.concat(chunks);
      chunks.push(buffer.subarray(0, bytesRead));
      size += bytesRead;
      // A file can grow while it is read, and some of the system's own say that they are empty.
      if (size > maxBytes) throw tooLarge(maxBytes);
    }
  } finally {
    await handle.close();
  }
}

function tooLarge(maxBytes: number): FileError {
  return new FileError(`is larger than ${String(maxBytes / MEGABYTE)} MB`);
}
