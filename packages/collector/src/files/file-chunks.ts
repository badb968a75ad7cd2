import type { FileHandle } from 'node:fs/promises';
import { openRegularFile } from '@vitrine/config/internal';
import type { FileAccess } from './file-access.js';

const CHUNK_BYTES = 256 * 1_024;

/** The bytes of a regular file. Rejects with a `FileError` when it is something else or does not answer, and when the signal aborts. */
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
    // A read that hangs keeps the file open, and nobody waits for it.
    if (!state.isReading) await closing;
  }
}

/** What was only read can be closed without a word. */
function closed(handle: FileHandle): Promise<void> {
  return handle.close().catch(() => undefined);
}
