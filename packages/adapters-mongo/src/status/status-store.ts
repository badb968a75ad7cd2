import {
  compareText,
  DAY,
  LATEST_INSTANT,
  startOfDay,
  withNewest,
  type Check,
  type CheckIdentity,
  type Instant,
  type LatestState,
  type ReadContext,
  type Recount,
  type ServiceDay,
  type StatusHour,
} from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import type { CollectionName, Collections, ReadCollection } from '../collections.js';
import { BadValue, type StoredDocument } from '../documents/codec.js';
import { aggregateDocuments, decoded, findDocuments, SILENT_QUARANTINE } from '../reading/find-documents.js';
import type { Commits, Write } from '../writers/commits.js';
import type { DayChanges, StoredDays } from './changing-days.js';
import { checkDocument, checkId, checkIdRange, checkOf, latestDocument, latestOf } from './check-document.js';
import { dayDocument, dayId, dayOf, hoursDocument, hoursOf } from './day-document.js';

const PENDING_DAYS = 'days';
const PROGRESS = 'rebuilding';

/** The collections of checks for the writer. Invalid documents count as missing: they are computed again. */
export class StatusStore {
  constructor(
    private readonly collections: Collections,
    private readonly commits: Commits,
  ) {}

  /** Reads the days that are counted again with their hours, the days before them, and the raw checks of the hours that are counted. */
  async storedDays(recounts: readonly Recount[], context: ReadContext): Promise<StoredDays> {
    if (recounts.length === 0) return { days: [], checks: [] };
    const own = recounts.map(({ serviceKey, day }) => dayId(serviceKey, day));
    const ids = new Set([...own, ...recounts.map(({ serviceKey, day }) => dayId(serviceKey, day - DAY))]);
    const [days, hours, checks] = await Promise.all([
      this.#decoded('status_days', { _id: { $in: [...ids] } }, 'status-day', dayOf, context),
      this.#hours(own, context),
      this.#checksOf(recounts, context),
    ]);
    return { days: days.map((day) => ({ ...day, hours: hours.get(dayId(day.serviceKey, day.day)) ?? [] })), checks };
  }

  async latestStates(serviceKeys: readonly string[], context: ReadContext): Promise<ReadonlyMap<string, LatestState>> {
    const found = await this.#decoded('status_trails', { _id: { $in: [...serviceKeys] } }, 'status-day', latestOf, context);
    return new Map(found.map((latest) => [latest.serviceKey, latest]));
  }

  /** Finds the latest state of a service in its stored days and raw checks; `null` if no day is left. @param keptFrom raw checks of earlier days are not kept */
  async foundLatestState(serviceKey: string, keptFrom: Instant, context: ReadContext): Promise<LatestState | null> {
    const [times] = await this.#aggregated('status_days', timesPipeline(serviceKey), context);
    const [first, last] = [times?.['first'], times?.['last']] as readonly unknown[];
    if (!(first instanceof Date) || !(last instanceof Date)) return null;
    const newest = await this.#aggregated('status_checks', newestPipeline(serviceKey, keptFrom), context);
    const ids = newest.flatMap(({ newestId, knownId }) => [newestId, knownId] as readonly unknown[]).filter((id) => typeof id === 'string');
    const checks = await this.#decoded('status_checks', { _id: { $in: ids } }, 'check', checkOf, context);
    return { serviceKey, firstCheckedAt: first.getTime(), lastCheckedAt: last.getTime(), sources: withNewest([], checks) };
  }

  /** Marks the days that are about to change. Resolves with the days that an interrupted writer has left marked. */
  async mark(days: readonly ServiceDay[]): Promise<readonly ServiceDay[]> {
    const entries = days.map(({ serviceKey, day }) => ({ serviceKey, day: new Date(day) }));
    const change = [{ $set: { days: { $setUnion: [{ $ifNull: ['$days', []] }, entries] } } }];
    return pendingOf(await this.commits.commit((into) => into('status_pending').upsert({ _id: PENDING_DAYS }, change)));
  }

  async pending({ signal }: ReadContext): Promise<readonly ServiceDay[]> {
    return pendingOf(await this.#of('status_pending').findOne<Document>({ _id: PENDING_DAYS }, { signal }));
  }

  /** @param left the days that stay marked */
  async unmark(left: readonly ServiceDay[]): Promise<void> {
    const days = left.map(({ serviceKey, day }) => ({ serviceKey, day: new Date(day) }));
    await this.commits.commit((into) => into('status_pending').update({ _id: PENDING_DAYS }, { $set: { days } }));
  }

  /** The time of the newest raw check of all services up to a given time; `null` if there is none. */
  async newestUntil(instant: Instant, { signal }: ReadContext): Promise<Instant | null> {
    const options = { signal, sort: { checkedAt: -1 }, projection: { checkedAt: 1 } } as const;
    const found = await this.#of('status_checks').findOne<Document>({ checkedAt: { $lte: new Date(instant) } }, options);
    const time: unknown = found?.['checkedAt'];
    return time instanceof Date ? time.getTime() : null;
  }

  /** Whether a day has raw checks. */
  async hasChecks({ serviceKey, day }: ServiceDay, { signal }: ReadContext): Promise<boolean> {
    const options = { signal, projection: { _id: 1 } } as const;
    return (await this.#of('status_checks').findOne({ _id: checkIdRange(serviceKey, day, day + DAY - 1) }, options)) !== null;
  }

  async write({ checks, removedChecks, days, removedDays }: DayChanges): Promise<void> {
    await this.commits.write('status_checks', checks.map(checkDocument).map(replacement));
    if (removedChecks.length > 0) await this.commits.commit((into) => into('status_checks').remove({ _id: { $in: removedChecks.map(idOf) } }));
    const removals = removedDays.map(({ serviceKey, day }) => removal(dayId(serviceKey, day)));
    const [withHours, withoutHours] = [days.filter(({ hours }) => hours.length > 0), days.filter(({ hours }) => hours.length === 0)];
    const hourRemovals = withoutHours.map(({ serviceKey, day }) => removal(dayId(serviceKey, day)));
    await this.commits.write('status_hours', [...withHours.map(hoursDocument).map(replacement), ...hourRemovals, ...removals]);
    await this.commits.write('status_days', [...days.map(dayDocument).map(replacement), ...removals]);
  }

  /** Brings the frozen days that earlier versions have counted to the present shape. They keep what they know. */
  async convertOldDays(context: ReadContext): Promise<void> {
    for (let last = ''; ;) {
      const filter = { _id: { $gt: last }, hours: { $exists: true } };
      const { documents } = await findDocuments(this.#of('status_days'), filter, { signal: context.signal, sort: { _id: 1 }, limit: 500 });
      const days = documents.flatMap((document) => {
        const [day, hours] = [dayOf(document), hoursOf(document)];
        return day instanceof BadValue ? [] : [{ ...day, hours: hours instanceof BadValue ? [] : hours.hours }];
      });
      await this.write({ checks: [], removedChecks: [], days, removedDays: [] });
      const id: unknown = documents.at(-1)?.['_id'];
      if (typeof id !== 'string') return;
      last = id;
    }
  }

  /** @param states by service; `null` deletes one */
  async writeLatestStates(states: ReadonlyMap<string, LatestState | null>): Promise<void> {
    const operations = [...states].map(([serviceKey, latest]) => (latest === null ? removal(serviceKey) : replacement(latestDocument(latest))));
    await this.commits.write('status_trails', operations);
  }

  /** The next service in the order of keys; `null` after the last. */
  async serviceAfter(serviceKey: string, { signal }: ReadContext): Promise<string | null> {
    const next = async (name: CollectionName): Promise<string[]> => {
      const options = { signal, sort: { _id: 1 }, projection: { _id: 1 } } as const;
      const found = await this.#of(name).findOne<Document>({ _id: { $gt: `${serviceKey}!` } }, options);
      return found === null ? [] : String(found['_id']).split(' ', 1);
    };
    const keys = [...(await next('status_checks')), ...(await next('status_days')), ...(await next('status_trails'))];
    return keys.sort(compareText)[0] ?? null;
  }

  /** The first day from the given one on for which the service has raw checks or counts; `null` if there is none. */
  async dayFrom(serviceKey: string, day: Instant, { signal }: ReadContext): Promise<Instant | null> {
    const range = checkIdRange(serviceKey, day, LATEST_INSTANT);
    const [check, counts] = await Promise.all([
      this.#of('status_checks').findOne<Document>({ _id: range }, { signal, sort: { _id: -1 }, projection: { checkedAt: 1 } }),
      this.#of('status_days').findOne<Document>(
        { serviceKey, day: { $gte: new Date(day) } },
        { signal, sort: { serviceKey: 1, day: 1 }, projection: { day: 1 } },
      ),
    ]);
    const times = [check?.['checkedAt'] as unknown, counts?.['day'] as unknown].flatMap((time) => (time instanceof Date ? [time.getTime()] : []));
    return times.length === 0 ? null : startOfDay(Math.min(...times));
  }

  /** The last service and day that an interrupted rebuild has completed. */
  async progress({ signal }: ReadContext): Promise<ServiceDay | null> {
    const found = await this.#of('status_pending').findOne<Document>({ _id: PROGRESS }, { signal });
    return pendingOf(found)[0] ?? null;
  }

  /** @param at `null` when the rebuild is complete */
  async setProgress(at: ServiceDay | null): Promise<void> {
    const days = at === null ? [] : [{ serviceKey: at.serviceKey, day: new Date(at.day) }];
    await this.commits.commit((into) => into('status_pending').update({ _id: PROGRESS }, { $set: { days } }, { upsert: true }));
  }

  /** The hours of days, from their own documents, or from those of days that an earlier version has written. */
  async #hours(ids: readonly string[], context: ReadContext): Promise<ReadonlyMap<string, readonly StatusHour[]>> {
    const found = await this.#aggregated('status_hours', hoursPipeline(ids), context);
    const decodedHours = decoded('status-day', { documents: found, damaged: new Set() }, SILENT_QUARANTINE, hoursOf);
    return new Map(decodedHours.map(({ serviceKey, day, hours }) => [dayId(serviceKey, day), hours]));
  }

  async #checksOf(recounts: readonly Recount[], context: ReadContext): Promise<readonly Check[]> {
    const ranges = recounts.map(({ serviceKey, day, from }) => ({ _id: checkIdRange(serviceKey, from, day + DAY - 1) }));
    return this.#decoded('status_checks', { $or: ranges }, 'check', checkOf, context);
  }

  async #decoded<Value>(
    name: CollectionName,
    filter: Filter<StoredDocument>,
    kind: 'check' | 'status-day',
    decode: (document: unknown) => Value | BadValue,
    { signal }: ReadContext,
  ): Promise<Value[]> {
    return decoded(kind, await findDocuments(this.#of(name), filter, { signal }), SILENT_QUARANTINE, decode);
  }

  async #aggregated(name: CollectionName, pipeline: Document[], { signal }: ReadContext): Promise<readonly Document[]> {
    return (await aggregateDocuments(this.#of(name), pipeline, { signal })).documents;
  }

  #of(name: CollectionName): ReadCollection {
    return this.collections.of(name);
  }
}

function replacement(document: StoredDocument): Write {
  return { replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true } };
}

function removal(_id: string): Write {
  return { deleteOne: { filter: { _id } } };
}

function idOf({ serviceKey, checkedAt, source }: CheckIdentity): string {
  return checkId(serviceKey, checkedAt, source);
}

/** The documents with the hours of days. Earlier versions stored the hours in the documents of the days. */
export function hoursPipeline(ids: readonly string[]): Document[] {
  const own = { $match: { _id: { $in: [...ids] } } };
  const old = [{ $match: { _id: { $in: [...ids] }, hours: { $exists: true } } }, { $project: { serviceKey: 1, day: 1, hours: 1 } }];
  return [own, { $unionWith: { coll: 'status_days', pipeline: old } }];
}

function timesPipeline(serviceKey: string): Document[] {
  return [{ $match: { serviceKey } }, { $group: { _id: null, first: { $min: '$firstCheckedAt' }, last: { $max: '$lastCheckedAt' } } }];
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

function pendingOf(document: Document | null): ServiceDay[] {
  const days: unknown = document?.['days'];
  if (!Array.isArray(days)) return [];
  return days.flatMap((entry: { readonly serviceKey?: unknown; readonly day?: unknown } | null): ServiceDay[] =>
    typeof entry?.serviceKey === 'string' && entry.day instanceof Date ? [{ serviceKey: entry.serviceKey, day: entry.day.getTime() }] : [],
  );
}
