import type { ReadContext, RecordWriter, StoredRecord } from '@vitrine/core';

/** The first batch is small, so that the newest records are visible soon. */
const FIRST_BATCH = 20;
const LARGEST_BATCH = 500;

/** Writes records in batches, each twice as large as the one before. While one batch is written, the next one is filled. If the source is faster than the store, it waits. */
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

  /** Resolves when everything is durable. */
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
    // The error is reported by the next await.
    this.#writing.catch(() => undefined);
  }

  async #put(batch: readonly StoredRecord[]): Promise<void> {
    this.#context.signal.throwIfAborted();
    const report = await this.#writer.put(batch, this.#context);
    this.#stored += report.stored;
    this.#unchanged += report.unchanged;
  }
}
