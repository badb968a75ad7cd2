import { write } from 'node:fs';
import type { Writable } from 'node:stream';
import { SECOND } from '@vitrine/core';

/** Writes a text somewhere and says when that is done, or has failed. One text at a time. */
export type WriteText = (text: string, done: (error?: Error | null) => void) => void;

export interface LineOutputOptions {
  /** The line that says how many lines were dropped, with its end. */
  readonly notice: (dropped: number) => string;
  /** How much may wait, in characters. */
  readonly maxWaiting?: number;
}

const MAX_WAITING = 1_024 * 1_024;
/** What is not written this long after the end is lost. */
const LAST_MS = SECOND;

/**
 * Lines to somebody who may read slowly, or not at all. As many wait as fit into a bounded buffer; further ones are dropped and counted, and a
 * line says how many as soon as the reader takes lines again. Nothing ever waits for the reader.
 */
export class LineOutput {
  readonly #write: WriteText;
  readonly #notice: (dropped: number) => string;
  readonly #maxWaiting: number;
  #lines: string[] = [];
  #waiting = 0;
  #dropped = 0;
  #isWriting = false;
  #drained: (() => void)[] = [];

  constructor(write: WriteText, { notice, maxWaiting = MAX_WAITING }: LineOutputOptions) {
    this.#write = write;
    this.#notice = notice;
    this.#maxWaiting = maxWaiting;
  }

  /** @param line with its end */
  readonly write = (line: string): void => {
    if (this.#waiting + line.length > this.#maxWaiting) {
      this.#dropped++;
      return;
    }
    this.#lines.push(line);
    this.#waiting += line.length;
    if (!this.#isWriting) this.#writeNext();
  };

  /** Resolves when everything is written, and a second after the signal aborted in any case. */
  async drained(signal: AbortSignal): Promise<void> {
    if (!this.#isWriting) return;
    await new Promise<void>((resolve) => {
      const giveUp = (): void => {
        setTimeout(resolve, LAST_MS);
      };
      this.#drained.push(resolve);
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #writeNext(): void {
    const count = this.#lines.length;
    const notice = this.#dropped > 0 ? this.#notice(this.#dropped) : '';
    const text = this.#lines.join('') + notice;
    const dropped = this.#dropped;
    this.#lines = [];
    this.#waiting = 0;
    this.#dropped = 0;
    this.#isWriting = true;
    this.#write(text, (error) => {
      this.#isWriting = false;
      // Whoever takes lines again learns of these too.
      if (error !== undefined && error !== null) this.#dropped += count + dropped;
      if (this.#lines.length > 0 || (this.#dropped > 0 && !error)) this.#writeNext();
      else for (const resolve of this.#drained.splice(0)) resolve();
    });
  }
}

/** Writes to a stream, whose errors are then those of its writes. */
export function streamWriter(stream: Writable): WriteText {
  // A reader that has gone must not end the process.
  stream.on('error', () => undefined);
  return (text, done) => {
    stream.write(text, done);
  };
}

/** How long a terminal that takes nothing is left alone, in milliseconds. */
const PAUSE_MS = 100;

/** Writes to a descriptor without holding up the process, however slow the disk or the terminal behind it is. */
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
