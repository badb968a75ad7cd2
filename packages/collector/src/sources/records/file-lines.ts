import { addAbortSignal, type Readable } from 'node:stream';
import { FileAccess, fileChunks } from '../../files/file-access.js';
import { readLines, type FileLine } from './read-lines.js';
import { readingFailed } from './records-file-error.js';

/** Shared by all records files of the process, because hanging operations block the same threads. */
export const recordsAccess = new FileAccess();

/** The lines of a records file, in batches of one chunk. Rejects with a `RecordsFileError` if the file cannot be read, and if the signal aborts. */
export async function* fileLines(file: string, signal: AbortSignal, access: FileAccess = recordsAccess): AsyncGenerator<readonly FileLine[]> {
  try {
    yield* readLines(fileChunks(file, access, signal));
  } catch (error) {
    throw readingFailed(file, error);
  }
}

/** The same for a stream, such as standard input. Rejects with the signal's reason if the signal aborts. */
export async function* inputLines(name: string, input: Readable, signal: AbortSignal): AsyncGenerator<readonly FileLine[]> {
  try {
    yield* readLines(addAbortSignal(signal, input));
  } catch (error) {
    signal.throwIfAborted();
    throw readingFailed(name, error);
  }
}
