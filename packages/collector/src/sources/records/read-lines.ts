import { readingFailed, fileChunks } from '../../files/file-access.js';
import { isUtf8 } from 'node:buffer';
import { addAbortSignal, type Readable } from 'node:stream';
import { diskAccess } from '../documents/disk-files.js';
import { TokenSplitter } from '../git/token-splitter.js';

export interface FileLine {
  readonly number: number;
  readonly text: string;
  /** Why it cannot be decoded as text, and how to fix it; `null` if it can. */
  readonly problem: string | null;
  /** Whether it ends with a line feed. The last line of a file that is still being written does not. */
  readonly isComplete: boolean;
}

const MAX_LINE_BYTES = 16 * 1_024 * 1_024;
const LINE_FEED = 0x0a;
const BOM = /^\uFEFF/;

/** The lines of a stream of bytes, in batches of one chunk. Blank lines are left out. The memory for a line is limited, even if the line is too long. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly FileLine[]> {
  const splitter = new TokenSplitter(LINE_FEED, MAX_LINE_BYTES + 1);
  let number = 0;
  const linesOf = (parts: readonly Buffer[], isComplete: boolean) => parts.flatMap((bytes) => lineOf(bytes, ++number, isComplete));
  for await (const chunk of chunks) {
    const lines = linesOf(splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)), true);
    if (lines.length > 0) yield lines;
  }
  const last = linesOf(splitter.rest(), false);
  if (last.length > 0) yield last;
}

function lineOf(bytes: Buffer, number: number, isComplete: boolean): readonly FileLine[] {
  const unreadable = (problem: string): readonly FileLine[] => [{ number, text: '', problem: `the line ${problem}`, isComplete }];
  if (bytes.length > MAX_LINE_BYTES) return unreadable('is longer than 16 MB; write shorter records');
  if (!isUtf8(bytes)) return unreadable('is not UTF-8; save the file as UTF-8');
  const text = bytes.toString('utf8').replace(number === 1 ? BOM : /^$/, '');
  return text.trim() === '' ? [] : [{ number, text, problem: null, isComplete }];
}

/** The lines of a records file, in batches of one chunk. Rejects with a `PathError` if the file cannot be read, and if the signal aborts. */
export async function* fileLines(file: string, signal: AbortSignal): AsyncGenerator<readonly FileLine[]> {
  try {
    yield* readLines(fileChunks(file, diskAccess, signal));
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
