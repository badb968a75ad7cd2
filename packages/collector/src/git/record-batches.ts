import type { ReadContext, RecordWriter, StoredRecord } from '@vitrine/core';

/** Few, so that what is newest can be read at once. */
const FIRST_BATCH = 20;
const LARGEST_BATCH = 500;

/** Writes records in batches, each twice as large as the one before. One batch is written while the next one is filled; a source that is faster than that waits. */
export class RecordBatches {
  readonly #writer: RecordWriter;
  readonly #context: ReadContext;
  #batch: StoredRecord[] = [];
  #size = FIRST_BATCH;
  #writing: Promise<void> = Promise.resolve();
  #stored = 0;
  #unchanged = 0;

  constructor(writer: RecordWriter, context: ReadContext) {
    this.#writer = writer;
    this.#context = context;
  }

  async add(record: StoredRecord): Promise<void> {
    this.#batch.push(record);
    if (this.#batch.length >= this.#size) await this.#send();
  }

  /** Waits until everything is durable. */
  async finish(): Promise<{ readonly stored: number; readonly unchanged: number }> {
    if (this.#batch.length > 0) await this.#send();
    await this.#writing;
    return { stored: this.#stored, unchanged: this.#unchanged };
  }

  async #send(): Promise<void> {
    await this.#writing;
    const batch = this.#batch;
    this.#batch = [];
    this.#size = Math.min(2 * this.#size, LARGEST_BATCH);
    this.#writing = this.#put(batch);
    // The next wait reports it.
    this.#writing.catch(() => undefined);
  }

  async #put(batch: readonly StoredRecord[]): Promise<void> {
    this.#context.signal.throwIfAborted();
    const report = await this.#writer.put(batch, this.#context);
    this.#stored += report.stored;
    this.#unchanged += report.unchanged;
  }
}
