import { FileError } from './file-error.js';
import { openRegularFile } from './open-regular-file.js';

const CHUNK_BYTES = 64 * 1_024;
const MEGABYTE = 1_024 * 1_024;

/** The content of a regular file. Rejects with a {@link FileError} if it is not a regular file, or has more than `maxBytes`. */
export async function readWholeFile(path: string, maxBytes: number): Promise<Buffer> {
  const { handle, stats } = await openRegularFile(path);
  try {
    if (stats.size > maxBytes) throw tooLarge(maxBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      // By reading one byte more than the size, the first read usually shows the end of the file.
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(Math.max(CHUNK_BYTES, stats.size - size + 1)) });
      if (bytesRead === 0) return Buffer.concat(chunks);
      chunks.push(buffer.subarray(0, bytesRead));
      size += bytesRead;
      // A file can grow while it is read, and some system files have the size 0 although they have content.
      if (size > maxBytes) throw tooLarge(maxBytes);
    }
  } finally {
    await handle.close();
  }
}

function tooLarge(maxBytes: number): FileError {
  return new FileError(`is larger than ${String(maxBytes / MEGABYTE)} MB`);
}
