import { readingFailed } from '../../files/path-error.js';
import { isUtf8 } from 'node:buffer';
import { addAbortSignal, type Readable } from 'node:stream';
import { FileAccess, fileChunks } from '../../files/file-access.js';

/** One line of a file. */
export interface FileLine {
  /** Starts at 1. */
  readonly number: number;
  /** The line without its line end; `null` if it cannot be decoded as text. */
  readonly text: string | null;
  /** The reason why it cannot be decoded. */
  readonly problem: 'too long' | 'not UTF-8' | null;
  /** Whether it ends with a line feed. The last line of a file that is still being written does not. */
  readonly isComplete: boolean;
}

const MAX_LINE_BYTES = 16 * 1_024 * 1_024;
const LINE_FEED = 0x0a;
const BOM = /^\uFEFF/;

/** The lines of a stream of bytes, in batches of one chunk. Blank lines are left out. The memory for a line is limited, even if the line is too long. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly FileLine[]> {
  const splitter = new LineSplitter();
  for await (const chunk of chunks) {
    const lines = splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (lines.length > 0) yield lines;
  }
  const last = splitter.end();
  if (last.length > 0) yield last;
}

class LineSplitter {
  #number = 0;
  /** The parts of the line whose end was not read yet. */
  #parts: Buffer[] = [];
  #size = 0;

  push(chunk: Buffer): readonly FileLine[] {
    const lines: FileLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finish(lines, true);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  end(): readonly FileLine[] {
    const lines: FileLine[] = [];
    if (this.#size > 0) this.#finish(lines, false);
    return lines;
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > MAX_LINE_BYTES) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #finish(lines: FileLine[], isComplete: boolean): void {
    this.#number++;
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    const isTooLong = this.#size > MAX_LINE_BYTES;
    this.#parts = [];
    this.#size = 0;
    if (isTooLong) lines.push({ number: this.#number, text: null, problem: 'too long', isComplete });
    else if (bytes !== undefined) this.#add(lines, bytes, isComplete);
  }

  #add(lines: FileLine[], bytes: Buffer, isComplete: boolean): void {
    if (!isUtf8(bytes)) {
      lines.push({ number: this.#number, text: null, problem: 'not UTF-8', isComplete });
      return;
    }
    const text = bytes.toString('utf8').replace(this.#number === 1 ? BOM : /^$/, '');
    if (text.trim() !== '') lines.push({ number: this.#number, text, problem: null, isComplete });
  }
}

/** Shared by all records files of the process, because hanging operations block the same threads. */
export const recordsAccess = new FileAccess();

/** The lines of a records file, in batches of one chunk. Rejects with a `PathError` if the file cannot be read, and if the signal aborts. */
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
