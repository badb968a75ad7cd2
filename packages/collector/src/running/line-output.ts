import { write } from 'node:fs';
import type { Writable } from 'node:stream';
import { SECOND } from '@vitrine/core';

/** Writes a text, and calls `done` when it is written or has failed. It is called for one text at a time. */
export type WriteText = (text: string, done: (error?: Error | null) => void) => void;

export interface LineOutputOptions {
  /** Formats the line that reports the number of dropped lines, including its line end. */
  readonly notice: (dropped: number) => string;
  /** Default: 1 MiB. `Infinity` drops no line, so a reader that never reads can fill the memory. */
  readonly maxWaiting?: number;
}

const MAX_WAITING = 1_024 * 1_024;
/** At the end, lines that are not written within this time are lost. */
const LAST_MS = SECOND;

/** Writes lines to a reader that may be slow. Callers never wait: if too much waits, lines are dropped, and a line reports their number when the reader reads again. */
export class LineOutput {
  readonly #write: WriteText;
  readonly #notice: (dropped: number) => string;
  readonly #maxWaiting: number;
  #lines: string[] = [];
  #waiting = 0;
  #dropped = 0;
  #isWriting = false;
  #failure: Error | null = null;
  #drained: (() => void)[] = [];

  constructor(write: WriteText, { notice, maxWaiting = MAX_WAITING }: LineOutputOptions) {
    [this.#write, this.#notice, this.#maxWaiting] = [write, notice, maxWaiting];
  }

  /** The first error of a write; `null` if none has failed. */
  get failure(): Error | null {
    return this.#failure;
  }

  readonly write = (line: string): void => {
    if (this.#waiting + line.length > this.#maxWaiting) {
      this.#dropped++;
      return;
    }
    this.#lines.push(line);
    this.#waiting += line.length;
    if (!this.#isWriting) this.#writeNext();
  };

  /** Resolves when everything is written, or at the latest one second after the signal aborted. */
  async drained(signal: AbortSignal): Promise<void> {
    if (!this.#isWriting) return;
    await new Promise<void>((resolve) => {
      const giveUp = () => void setTimeout(resolve, LAST_MS);
      this.#drained.push(resolve);
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #writeNext(): void {
    const [lines, dropped] = [this.#lines, this.#dropped];
    [this.#lines, this.#waiting, this.#dropped, this.#isWriting] = [[], 0, 0, true];
    this.#write(lines.join('') + (dropped > 0 ? this.#notice(dropped) : ''), (error) => {
      this.#isWriting = false;
      // The next notice also reports these lines.
      if (error !== undefined && error !== null) {
        this.#failure ??= error;
        this.#dropped += lines.length + dropped;
      }
      if (this.#lines.length > 0 || (this.#dropped > 0 && !error)) this.#writeNext();
      else for (const resolve of this.#drained.splice(0)) resolve();
    });
  }
}

/** Writes to a stream, and passes each error to the callback of its write. */
export function streamWriter(stream: Writable): WriteText {
  // If the reader has disconnected, the process must not end.
  stream.on('error', () => undefined);
  return (text, done) => stream.write(text, done);
}

const PAUSE_MS = 100;

/** Writes to a file descriptor without blocking the process, even if the disk or terminal is slow. */
export function descriptorWriter(descriptor: number): WriteText {
  return (text, done) => {
    const bytes = Buffer.from(text);
    const writeFrom = (from: number): void => {
      write(descriptor, bytes, from, bytes.length - from, null, (error, written) => {
        if (error?.code === 'EAGAIN') setTimeout(writeFrom, PAUSE_MS, from);
        else if (error !== null || from + written >= bytes.length) done(error);
        else writeFrom(from + written);
      });
    };
    writeFrom(0);
  };
}
