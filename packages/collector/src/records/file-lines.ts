import { addAbortSignal, type Readable } from 'node:stream';
import { FileAccess } from '../files/file-access.js';
import { fileChunks } from '../files/file-chunks.js';
import { readLines, type FileLine } from './read-lines.js';
import { readingFailed } from './records-file-error.js';

/** One for all records files of the process, because the operations that may hang share its threads. */
export const recordsAccess = new FileAccess();

/** The lines of a records file, as many at once as a chunk holds. Rejects with a `RecordsFileError` when the file cannot be read, and when the signal aborts. */
export async function* fileLines(file: string, signal: AbortSignal, access: FileAccess = recordsAccess): AsyncGenerator<readonly FileLine[]> {
  try {
    yield* readLines(fileChunks(file, access, signal));
  } catch (error) {
    throw readingFailed(file, error);
  }
}

/** The same of a stream, such as the standard input, up to its end. Also rejects, with the signal's reason, when the signal aborts. */
export async function* inputLines(name: string, input: Readable, signal: AbortSignal): AsyncGenerator<readonly FileLine[]> {
  try {
    yield* readLines(addAbortSignal(signal, input));
  } catch (error) {
    signal.throwIfAborted();
    throw readingFailed(name, error);
  }
}
