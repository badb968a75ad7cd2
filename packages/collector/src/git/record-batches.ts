import type { ReadContext, RecordWriter, StoredRecord } from '@vitrine/core';

const BATCH = 500;

/** Writes records in batches. One batch is written while the next one is filled; a source that is faster than that waits. */
export class RecordBatches {
  readonly #writer: RecordWriter;
  readonly #context: ReadContext;
  #batch: StoredRecord[] = [];
  #writing: Promise<void> = Promise.resolve();
  #stored = 0;
  #unchanged = 0;

  constructor(writer: RecordWriter, context: ReadContext) {
    this.#writer = writer;
    this.#context = context;
  }

  async add(record: StoredRecord): Promise<void> {
    this.#batch.push(record);
    if (this.#batch.length >= BATCH) await this.#send();
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
