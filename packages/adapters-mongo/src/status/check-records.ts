import { DAY, startOfDay, type Check, type CheckedDay, type Instant, type ReadContext, type ServiceDay, type StatusDay } from '@vitrine/core';
import { BadValue } from '../documents/codec.js';
import { decoded } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { CheckRecords } from '../readers/mongo-collection-reader.js';
import { checkIdRange, checkOf } from './check-document.js';
import { dayOf } from './day-document.js';
import { MongoCheckReader } from './mongo-check-reader.js';

/** The number of documents that are read together. */
const BATCH_SIZE = 1_000;

/** All stored check data, for an export: the daily counts of days without raw checks, and the raw checks of all other days. */
export class MongoCheckRecords implements CheckRecords {
  readonly #reading: MongoReading;
  readonly #retentionMs: number;

  constructor(reading: MongoReading, retentionMs: number) {
    this.#reading = reading;
    this.#retentionMs = retentionMs;
  }

  async *records(context: ReadContext): AsyncIterable<StatusDay | Check> {
    const keptFrom = this.#keptFrom();
    for await (const day of this.#walk('status-day', 'status_days', dayOf, context)) if (day.day < keptFrom && day.firstCheckedAt !== null) yield day;
    for await (const check of this.#walk('check', 'status_checks', checkOf, context)) if (isKept(check, keptFrom)) yield check;
  }

  async checkedDays(context: ReadContext): Promise<ReadonlyMap<string, readonly CheckedDay[]>> {
    return new MongoCheckReader(this.#reading, this.#retentionMs).checkedDays(context);
  }

  async checksOf({ serviceKey, day }: ServiceDay, { signal }: ReadContext): Promise<readonly Check[]> {
    const range = checkIdRange(serviceKey, day, day + DAY - 1);
    const found = await findDocuments(this.#reading.collections.of('status_checks'), { _id: range }, { signal });
    return decoded('check', found, this.#reading.monitor, checkOf);
  }

  #keptFrom(): Instant {
    return this.#reading.clock.now() - this.#retentionMs;
  }

  /** Reads in the order of ids, so that each batch continues after the last id of the previous one. */
  async *#walk<Stored>(
    kind: 'check' | 'status-day',
    name: 'status_checks' | 'status_days',
    decode: (document: unknown) => Stored | BadValue,
    { signal }: ReadContext,
  ): AsyncIterable<Stored> {
    for (let last = ''; ;) {
      const page = { signal, limit: BATCH_SIZE, sort: { _id: 1 } } as const;
      const found = await findDocuments(this.#reading.collections.of(name), { _id: { $gt: last } }, page);
      yield* decoded(kind, found, this.#reading.monitor, decode);
      const id: unknown = found.documents.at(-1)?.['_id'];
      if (found.documents.length < BATCH_SIZE || typeof id !== 'string') return;
      last = id;
    }
  }
}

function isKept({ checkedAt }: Check, keptFrom: Instant): boolean {
  return startOfDay(checkedAt) >= keptFrom;
}
