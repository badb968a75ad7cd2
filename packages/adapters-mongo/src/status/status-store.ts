import { compareText, DAY, LATEST_INSTANT, startOfDay, withNewest } from '@vitrine/core';
import type { DayChanges, Instant, LatestState, Recount, ServiceDay, StoredDays } from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import type { CollectionName } from '../collections.js';
import { BadValue, instant, list, object, type StoredDocument, text } from '../documents/codec.js';
import { type FindDocumentsOptions, lastIdOf, valid } from '../reading/mongo-reading.js';
import { removal, replacement, type Transaction } from '../writers/commits.js';
import {
  checkDocument,
  checkId,
  checkIdRange,
  checkOf,
  dayDocument,
  dayId,
  dayOf,
  hoursDocument,
  hoursOf,
  latestDocument,
  latestOf,
} from './status-documents.js';

const PENDING_DAYS = 'days';
const pendingDays = list(object({ serviceKey: text, day: instant }));
/** How many days of earlier versions are converted at once. */
const CONVERTED_AT_ONCE = 500;

/** The collections of checks in a transaction of the writer. Invalid documents count as missing: they are computed again. */
export class StatusStore {
  constructor(private readonly transaction: Transaction) {}

  async storedDays(recounts: readonly Recount[]): Promise<StoredDays> {
    if (recounts.length === 0) return { days: [], checks: [] };
    const own = recounts.map(({ serviceKey, day }) => dayId(serviceKey, day));
    const ids = [...new Set([...own, ...recounts.map(({ serviceKey, day }) => dayId(serviceKey, day - DAY))])];
    const found = await this.transaction.find('status_days', { _id: { $in: ids } });
    const days = valid(found, dayOf);
    // Earlier versions stored the hours in the documents of the days.
    const old = valid(found, hoursOf);
    const stored = await this.#valid('status_hours', { _id: { $in: own } }, hoursOf);
    const hours = new Map([...old, ...stored].map((day) => [dayId(day.serviceKey, day.day), day.hours]));
    const ranges = recounts.map(({ serviceKey, day, from }) => ({ _id: checkIdRange(serviceKey, from, day + DAY - 1) }));
    const checks = await this.#valid('status_checks', { $or: ranges }, checkOf);
    return { days: days.map((day) => ({ ...day, hours: hours.get(dayId(day.serviceKey, day.day)) ?? [] })), checks };
  }

  async latestStates(serviceKeys: readonly string[]): Promise<ReadonlyMap<string, LatestState>> {
    const found = await this.#valid('status_trails', { _id: { $in: [...serviceKeys] } }, latestOf);
    return new Map(found.map((latest) => [latest.serviceKey, latest]));
  }

  /** Finds the latest state of a service in its stored days and raw checks; `null` if no day is left. @param keptFrom raw checks of earlier days are not kept */
  async foundLatestState(serviceKey: string, keptFrom: Instant): Promise<LatestState | null> {
    const bounds = { _id: null, first: { $min: '$firstCheckedAt' }, last: { $max: '$lastCheckedAt' } };
    const [times] = await this.transaction.aggregate('status_days', [{ $match: { serviceKey } }, { $group: bounds }]);
    const { first, last } = (times ?? {}) as Readonly<Record<string, unknown>>;
    if (!(first instanceof Date) || !(last instanceof Date)) return null;
    const newest = await this.transaction.aggregate('status_checks', newestPipeline(serviceKey, keptFrom));
    const ids = newest.flatMap(({ newestId, knownId }) => [newestId, knownId] as readonly unknown[]).filter((id) => typeof id === 'string');
    const checks = await this.#valid('status_checks', { _id: { $in: ids } }, checkOf);
    return { serviceKey, firstCheckedAt: first.getTime(), lastCheckedAt: last.getTime(), sources: withNewest([], checks) };
  }

  /** The days that another collector has marked. */
  async pending(): Promise<readonly ServiceDay[]> {
    const marked = await this.#first('status_pending', { _id: PENDING_DAYS });
    // Each mark on its own: a damaged one must not keep the others from being counted.
    const days = pendingDays.decode(marked?.['days'], '');
    return days instanceof BadValue ? [] : days;
  }

  async unmark(days: readonly ServiceDay[]): Promise<void> {
    if (days.length === 0) return;
    // As conditions, because another collector may order the fields as it likes.
    const marks = days.map(({ serviceKey, day }) => ({ serviceKey, day: new Date(day) }));
    const update = { $pull: { days: { $or: marks } } } as Document;
    await this.transaction.write('status_pending', [{ updateOne: { filter: { _id: PENDING_DAYS }, update } }]);
  }

  /** The time of the newest raw check of all services up to a given time; `null` if there is none. */
  async newestUntil(instant: Instant): Promise<Instant | null> {
    const options = { sort: { checkedAt: -1 }, projection: { checkedAt: 1 } } as const;
    const found = await this.#first('status_checks', { checkedAt: { $lte: new Date(instant) } }, options);
    const time: unknown = found?.['checkedAt'];
    return time instanceof Date ? time.getTime() : null;
  }

  async hasChecks({ serviceKey, day }: ServiceDay): Promise<boolean> {
    return (await this.#first('status_checks', { _id: checkIdRange(serviceKey, day, day + DAY - 1) })) !== null;
  }

  async write({ checks, removedChecks, days, removedDays }: DayChanges): Promise<void> {
    const withdrawn = removedChecks.map(({ serviceKey, checkedAt, source }) => removal(checkId(serviceKey, checkedAt, source)));
    await this.transaction.write('status_checks', [...checks.map(checkDocument).map(replacement), ...withdrawn]);
    const removals = removedDays.map(({ serviceKey, day }) => removal(dayId(serviceKey, day)));
    const hours = days.map(({ counted: day }) => (day.hours.length > 0 ? replacement(hoursDocument(day)) : removal(dayId(day.serviceKey, day.day))));
    await this.transaction.write('status_hours', [...hours, ...removals]);
    await this.transaction.write('status_days', [...days.map(({ counted }) => replacement(dayDocument(counted))), ...removals]);
  }

  /** Brings frozen days that earlier versions have counted to the present shape. They keep what they know. Resolves with the id of the last one; `null` if there are no more after the given id. */
  async convertOldDays(after: string): Promise<string | null> {
    const filter = { _id: { $gt: after }, hours: { $exists: true } };
    const documents = await this.transaction.find('status_days', filter, { sort: { _id: 1 }, limit: CONVERTED_AT_ONCE });
    const days = documents.flatMap((document) => {
      const [day, hours] = [dayOf(document), hoursOf(document)];
      return day instanceof BadValue ? [] : [{ counted: { ...day, hours: hours instanceof BadValue ? [] : hours.hours }, from: day.day }];
    });
    await this.write({ checks: [], removedChecks: [], days, removedDays: [] });
    return lastIdOf(documents);
  }

  /** @param states by service; `null` deletes one */
  async writeLatestStates(states: ReadonlyMap<string, LatestState | null>): Promise<void> {
    const operations = [...states].map(([serviceKey, latest]) => (latest === null ? removal(serviceKey) : replacement(latestDocument(latest))));
    await this.transaction.write('status_trails', operations);
  }

  /** The next service in the order of keys; `null` after the last. */
  async serviceAfter(serviceKey: string): Promise<string | null> {
    const keys: string[] = [];
    for (const name of ['status_checks', 'status_days', 'status_trails'] as const) {
      const found = await this.#first(name, { _id: { $gt: `${serviceKey}!` } }, { sort: { _id: 1 }, projection: { _id: 1 } });
      if (found !== null) keys.push(...String(found['_id']).split(' ', 1));
    }
    return keys.sort(compareText)[0] ?? null;
  }

  /** The first day from the given one on for which the service has raw checks or counts; `null` if there is none. */
  async dayFrom(serviceKey: string, day: Instant): Promise<Instant | null> {
    const range = { _id: checkIdRange(serviceKey, day, LATEST_INSTANT) };
    const check = await this.#first('status_checks', range, { sort: { _id: -1 }, projection: { checkedAt: 1 } });
    const later = { serviceKey, day: { $gte: new Date(day) } };
    const counts = await this.#first('status_days', later, { sort: { serviceKey: 1, day: 1 }, projection: { day: 1 } });
    const times = [check?.['checkedAt'] as unknown, counts?.['day'] as unknown].flatMap((time) => (time instanceof Date ? [time.getTime()] : []));
    return times.length === 0 ? null : startOfDay(Math.min(...times));
  }

  async #first(name: CollectionName, filter: Filter<StoredDocument>, options: FindDocumentsOptions = {}): Promise<Document | null> {
    return (await this.transaction.find(name, filter, { ...options, limit: 1 }))[0] ?? null;
  }

  async #valid<Value>(name: CollectionName, filter: Filter<StoredDocument>, decode: (document: Document) => Value | BadValue): Promise<Value[]> {
    return valid(await this.transaction.find(name, filter), decode);
  }
}

/** The ids of the newest check of each source, and of the newest that is not `unknown`. The later a check, the lower its id. */
function newestPipeline(serviceKey: string, keptFrom: Instant): Document[] {
  const known = { $cond: [{ $ne: ['$state', 'unknown'] }, '$_id', null] };
  return [
    { $match: { _id: checkIdRange(serviceKey, keptFrom, LATEST_INSTANT) } },
    { $project: { _id: 1, state: 1, source: '$provenance.source' } },
    { $group: { _id: '$source', newestId: { $min: '$_id' }, knownId: { $min: known } } },
  ];
}
