import { DAY, type Check, type Instant, type ReadContext } from '@vitrine/core';
import type { AnyBulkWriteOperation, Collection, Document, Filter } from 'mongodb';
import type { CollectionName, Collections } from '../collections.js';
import { BadValue } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { decoded } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import { SILENT_QUARANTINE } from '../reading/quarantine.js';
import { checkDocument, checkIdRange, checkOf } from './check-document.js';
import type { ServiceDay } from './count-day.js';
import type { Recount } from './day-book.js';
import { dayDocument, dayId, dayOf, type StoredDay } from './day-document.js';
import { trailDocument, trailOf, type Trail } from './trail-document.js';

const PENDING_DAYS = 'days';

/** The collections of checks, as their writer sees them. What cannot be used is as good as missing to it: it is counted again. */
export class StatusStore {
  readonly #collections: Collections;

  constructor(collections: Collections) {
    this.#collections = collections;
  }

  /** The days, with the day before and the day after each. */
  async daysAround(days: readonly ServiceDay[], { signal }: ReadContext): Promise<ReadonlyMap<string, StoredDay>> {
    const ids = new Set(days.flatMap(({ serviceKey, day }) => [day - DAY, day, day + DAY].map((one) => dayId(serviceKey, one))));
    const found = await findDocuments(this.#of('status_days'), { _id: { $in: [...ids] } }, { signal });
    return new Map(decoded('status-day', found, SILENT_QUARANTINE, dayOf).map((day) => [dayId(day.serviceKey, day.day), day]));
  }

  /** The raw checks of what is counted again. */
  async checksOf(recounts: readonly Recount[], { signal }: ReadContext): Promise<Check[]> {
    if (recounts.length === 0) return [];
    const ranges = recounts.map(({ serviceKey, day, from }) => ({ _id: checkIdRange(serviceKey, from, day + DAY - 1) }));
    const found = await findDocuments(this.#of('status_checks'), { $or: ranges }, { signal });
    return decoded('check', found, SILENT_QUARANTINE, checkOf);
  }

  async checksById(ids: readonly string[], { signal }: ReadContext): Promise<Check[]> {
    const found = await findDocuments(this.#of('status_checks'), { _id: { $in: [...ids] } }, { signal });
    return decoded('check', found, SILENT_QUARANTINE, checkOf);
  }

  async trails(serviceKeys: readonly string[], { signal }: ReadContext): Promise<ReadonlyMap<string, Trail>> {
    const found = await findDocuments(this.#of('status_trails'), { _id: { $in: [...serviceKeys] } }, { signal });
    return new Map(decoded('status-day', found, SILENT_QUARANTINE, trailOf).map((trail) => [trail.serviceKey, trail]));
  }

  /** Every day of a service, oldest first, without its hours. */
  async *daysOfService(serviceKey: string, { signal }: ReadContext): AsyncIterable<StoredDay> {
    const cursor = this.#of('status_days').find<Document>({ serviceKey }, { signal, sort: { serviceKey: 1, day: 1 }, projection: { hours: 0 } });
    for await (const document of cursor) {
      const day = dayOf({ ...document, hours: [] });
      if (!(day instanceof BadValue)) yield day;
    }
  }

  /** Writes down which days are about to change; resolves with those that a writer left behind who did not come to its end. */
  async mark(days: readonly ServiceDay[]): Promise<readonly ServiceDay[]> {
    const entries = days.map(({ serviceKey, day }) => ({ serviceKey, day: new Date(day) }));
    const before = await this.#of('status_pending').findOneAndUpdate(
      { _id: PENDING_DAYS },
      [{ $set: { days: { $setUnion: [{ $ifNull: ['$days', []] }, entries] } } }],
      { upsert: true, returnDocument: 'before' },
    );
    return pendingOf(before);
  }

  async pending({ signal }: ReadContext): Promise<readonly ServiceDay[]> {
    return pendingOf(await this.#of('status_pending').findOne<Document>({ _id: PENDING_DAYS }, { signal }));
  }

  async unmark(): Promise<void> {
    await this.#of('status_pending').updateOne({ _id: PENDING_DAYS }, { $set: { days: [] } });
  }

  async writeChecks(checks: readonly Check[]): Promise<void> {
    await this.#replaceAll('status_checks', checks.map(checkDocument));
  }

  async deleteChecks(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#of('status_checks').deleteMany({ _id: { $in: [...ids] } });
  }

  /** @param days by id; `null` where none is left */
  async writeDays(days: ReadonlyMap<string, StoredDay | null>): Promise<void> {
    const operations = [...days].map(([_id, day]): Write =>
      day === null ? { deleteOne: { filter: { _id } } } : { replaceOne: { filter: { _id }, replacement: dayDocument(day), upsert: true } },
    );
    if (operations.length > 0) await this.#of('status_days').bulkWrite(operations, { ordered: false });
  }

  /** @param trails by service; `null` where none is left */
  async writeTrails(trails: ReadonlyMap<string, Trail | null>): Promise<void> {
    const operations = [...trails].map(([_id, trail]): Write =>
      trail === null ? { deleteOne: { filter: { _id } } } : { replaceOne: { filter: { _id }, replacement: trailDocument(trail), upsert: true } },
    );
    if (operations.length > 0) await this.#of('status_trails').bulkWrite(operations, { ordered: false });
  }

  /** Walks a collection in the order of its ids. */
  async *walk(name: 'status_checks' | 'status_days', filter: Filter<StoredDocument>, { signal }: ReadContext): AsyncIterable<Document> {
    yield* this.#of(name).find<Document>(filter, { signal, sort: { _id: 1 }, hint: { _id: 1 } });
  }

  /** The service that comes next in the order of keys and has raw checks or counts; `null` after the last. */
  async serviceAfter(serviceKey: string, { signal }: ReadContext): Promise<string | null> {
    const next = async (name: 'status_checks' | 'status_days'): Promise<string[]> => {
      const found = await this.#of(name).findOne<Document>({ _id: { $gt: `${serviceKey}!` } }, { signal, sort: { _id: 1 }, projection: { _id: 1 } });
      return found === null ? [] : [String(found['_id']).split(' ', 1)[0] ?? ''];
    };
    return [...(await next('status_checks')), ...(await next('status_days'))].sort()[0] ?? null;
  }

  /** When the oldest and the newest raw check of a service were made; `null` when it has none. */
  async rawSpan(serviceKey: string, range: { readonly $gte: string; readonly $lt: string }, { signal }: ReadContext): Promise<Span | null> {
    const end = async (direction: 1 | -1): Promise<Instant | null> => {
      const options = { signal, sort: { _id: direction }, projection: { checkedAt: 1 } } as const;
      const checkedAt: unknown = (await this.#of('status_checks').findOne<Document>({ _id: range, serviceKey }, options))?.['checkedAt'];
      return checkedAt instanceof Date ? checkedAt.getTime() : null;
    };
    const [newest, oldest] = [await end(1), await end(-1)];
    return newest === null || oldest === null ? null : { oldest, newest };
  }

  async #replaceAll(name: CollectionName, documents: readonly StoredDocument[]): Promise<void> {
    const operations = documents.map((replacement): Write => ({ replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } }));
    if (operations.length > 0) await this.#of(name).bulkWrite(operations, { ordered: false });
  }

  #of(name: CollectionName): Collection<StoredDocument> {
    return this.#collections.of(name);
  }
}

type Write = AnyBulkWriteOperation<StoredDocument>;

export interface Span {
  readonly oldest: Instant;
  readonly newest: Instant;
}

function pendingOf(document: Document | null): ServiceDay[] {
  const days: unknown = document?.['days'];
  if (!Array.isArray(days)) return [];
  return days.flatMap((entry: { readonly serviceKey?: unknown; readonly day?: unknown } | null): ServiceDay[] =>
    typeof entry?.serviceKey === 'string' && entry.day instanceof Date ? [{ serviceKey: entry.serviceKey, day: entry.day.getTime() }] : [],
  );
}
