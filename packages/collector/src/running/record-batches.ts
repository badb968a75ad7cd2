import { grouped, type Instant, type PutContext, type RecordWriter, type RefusedRecord, type StoredRecord } from '@vitrine/core';
import type { SourceContext } from './source.js';

/** The first batch is small, so that the newest records are visible soon. */
const FIRST_BATCH = 20;
/** A call of the writer with more records would hold others up for longer. */
const LARGEST_BATCH = 500;

/** Writes records in batches, each twice as large as the one before. While one batch is written, the next one is filled. If the source is faster than the store, it waits. */
export class RecordBatches {
  readonly #writer: Pick<RecordWriter, 'put'>;
  readonly #context: PutContext;
  #batch: StoredRecord[] = [];
  #size = FIRST_BATCH;
  #sent = 0;
  #writing: Promise<void> = Promise.resolve();
  readonly #refused: RefusedRecord[] = [];
  #stored = 0;
  #unchanged = 0;

  /** @param filledAt the time that stands for "not known" in the records, as in `PutContext`; `null` if every time is known */
  constructor({ writer, signal }: Pick<SourceContext, 'writer' | 'signal'>, filledAt: Instant | null = null) {
    this.#writer = writer;
    this.#context = { signal, ...(filledAt !== null && { filledAt }) };
  }

  async add(record: StoredRecord): Promise<void> {
    this.#batch.push(record);
    if (this.#batch.length >= this.#size) await this.#send();
  }

  /** Resolves when every record is stored durably. A refused record is given by its place among all records. */
  async finish() {
    if (this.#batch.length > 0) await this.#send();
    await this.#writing;
    return { stored: this.#stored, unchanged: this.#unchanged, refusedRecords: this.#refused as readonly RefusedRecord[] };
  }

  async #send(): Promise<void> {
    await this.#writing;
    this.#writing = this.#put(this.#batch, this.#sent);
    // The error is reported by the next await.
    this.#writing.catch(() => undefined);
    this.#sent += this.#batch.length;
    this.#batch = [];
    this.#size = Math.min(2 * this.#size, LARGEST_BATCH);
  }

  async #put(batch: readonly StoredRecord[], start: number): Promise<void> {
    this.#context.signal.throwIfAborted();
    const report = await this.#writer.put(batch, this.#context);
    this.#stored += report.stored;
    this.#unchanged += report.unchanged;
    this.#refused.push(...report.refused.map(({ index, reason }) => ({ index: start + index, reason })));
  }
}

const REASONS: Readonly<Record<RefusedRecord['reason'], string>> = {
  'email-in-identifier': 'their ids or addresses contain an email address',
  'foreign-id': 'their ids name another repository',
  'invalid-time': 'their times are no whole milliseconds of the years 0000 to 9999',
  'frozen-day': 'their days are complete',
  'open-day': 'their days are not complete',
  'unknown-commit': 'no source has stored these commits',
};

export function refusalLines(refused: readonly RefusedRecord[]): readonly string[] {
  const byReason = grouped(refused, ({ reason }) => reason);
  return [...byReason].map(([reason, { length }]) => `records that were left out, because ${REASONS[reason]}: ${String(length)}`);
}

/** Stores records, and tells their number. @param filledAt as in {@link RecordBatches} @param what the plural of the records, for the progress */
export async function putInBatches(records: readonly StoredRecord[], filledAt: Instant | null, context: SourceContext, what = 'records') {
  const batches = new RecordBatches(context, filledAt);
  for (const [index, record] of records.entries()) {
    if (index > 0 && index % LARGEST_BATCH === 0) context.progress(index, what, records.length);
    await batches.add(record);
  }
  const totals = await batches.finish();
  if (records.length > 0) context.progress(records.length, what, records.length);
  return { ...totals, refused: refusalLines(totals.refusedRecords) };
}
