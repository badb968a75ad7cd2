import type { FileHandle } from 'node:fs/promises';
import { openRegularFile } from '@vitrine/config/internal';
import type { FileAccess } from './file-access.js';

/** The records of a chunk are read without a pause, so a larger one blocks the process for longer. */
const CHUNK_BYTES = 64 * 1_024;

/** The bytes of a regular file. Rejects with a `FileError` if it is not a regular file or hangs, and if the signal aborts. */
export async function* fileChunks(path: string, access: FileAccess, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { handle } = await access.run(
    path,
    signal,
    () => openRegularFile(path),
    (late) => void closed(late.handle),
  );
  const state = { isReading: false };
  const read = async (): Promise<Uint8Array> => {
    state.isReading = true;
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafeSlow(CHUNK_BYTES) });
    state.isReading = false;
    return buffer.subarray(0, bytesRead);
  };
  try {
    for (;;) {
      const chunk = await access.run(path, signal, read);
      if (chunk.length === 0) return;
      yield chunk;
    }
  } finally {
    const closing = closed(handle);
    // A hanging read keeps the file open, so the close is not awaited.
    if (!state.isReading) await closing;
  }
}

/** Closes a file and ignores errors, because nothing was written. */
function closed(handle: FileHandle): Promise<void> {
  return handle.close().catch(() => undefined);
}
