import {
  compareText,
  DAY,
  daysAfter,
  LATEST_INSTANT,
  LatestStateRebuild,
  MAX_VALIDITY_MS,
  startOfDay,
  type ChangedDay,
  type Check,
  type CheckIdentity,
  type CountedDay,
  type DayChanges,
  type Instant,
  type LatestState,
  type ReadContext,
  type Recount,
  type ServiceDay,
} from '@vitrine/core';
import type { Document } from 'mongodb';
import type { CollectionName, Collections, ReadCollection } from '../collections.js';
import { BadValue } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { decoded } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import { SILENT_QUARANTINE } from '../reading/quarantine.js';
import type { Commits, Write } from '../writers/commits.js';
import { checkDocument, checkId, checkIdRange, checkOf } from './check-document.js';
import { dayDocument, dayId, dayOf, WITHOUT_HOURS } from './day-document.js';
import { trailDocument, trailOf } from './trail-document.js';

const PENDING_DAYS = 'days';
const PROGRESS = 'rebuilding';

/** The collections of checks for the writer. Invalid documents count as missing: they are computed again. */
export class StatusStore {
  readonly #collections: Collections;
  readonly #commits: Commits;

  constructor(collections: Collections, commits: Commits) {
    this.#collections = collections;
    this.#commits = commits;
  }

  /**
   * Reads the days that change and the days after them that may change too, and for each the last stored day before, if need be without its hours. One
   * query, unless days are missing before a change or checks are valid for days.
   */
  async daysAround(changed: readonly ChangedDay[], context: ReadContext): Promise<readonly CountedDay[]> {
    const ids = new Set(changed.flatMap(({ serviceKey, day }) => [day - DAY, day, day + DAY].map((one) => dayId(serviceKey, one))));
    const near = await this.#days([...ids], context);
    const stored = new Map(near.map((day) => [dayId(day.serviceKey, day.day), day]));
    const further = changed.flatMap((change) => {
      const after = daysAfter(change, stored.get(dayId(change.serviceKey, change.day))?.coveredUntil);
      return after.map((day) => dayId(change.serviceKey, day)).filter((id) => !ids.has(id));
    });
    const afterGap = changed.filter(({ serviceKey, day }) => !stored.has(dayId(serviceKey, day - DAY)));
    const before: CountedDay[] = [];
    // One after the other: all at once would need a connection each.
    for (const day of afterGap) before.push(...(await this.#lastBefore(day, context)));
    return [...before, ...near, ...(await this.#days(further, context))];
  }

  /** Reads the raw checks of the hours that are counted again. */
  async checksOf(recounts: readonly Recount[], { signal }: ReadContext): Promise<Check[]> {
    if (recounts.length === 0) return [];
    const ranges = recounts.map(({ serviceKey, day, from }) => ({ _id: checkIdRange(serviceKey, from, day + DAY - 1) }));
    const found = await findDocuments(this.#of('status_checks'), { $or: ranges }, { signal });
    return decoded('check', found, SILENT_QUARANTINE, checkOf);
  }

  async latestStates(serviceKeys: readonly string[], { signal }: ReadContext): Promise<ReadonlyMap<string, LatestState>> {
    const found = await findDocuments(this.#of('status_trails'), { _id: { $in: [...serviceKeys] } }, { signal });
    return new Map(decoded('status-day', found, SILENT_QUARANTINE, trailOf).map((latest) => [latest.serviceKey, latest]));
  }

  /** Rebuilds the latest state of a service from its stored days and raw checks; `null` if no day is left. */
  async rebuiltLatestState(serviceKey: string, context: ReadContext): Promise<LatestState | null> {
    const rebuild = new LatestStateRebuild();
    const options = { signal: context.signal, sort: { serviceKey: 1, day: 1 }, projection: WITHOUT_HOURS } as const;
    for await (const document of this.#of('status_days').find<Document>({ serviceKey }, options)) {
      const day = dayOf({ ...document, hours: [] });
      if (!(day instanceof BadValue)) rebuild.add(day);
    }
    const { last } = rebuild;
    if (last === null) return null;
    const [whole = last] = await this.#days([dayId(serviceKey, last.day)], context);
    const ids = rebuild.newestChecks.map(idOf);
    const found = await findDocuments(this.#of('status_checks'), { _id: { $in: ids } }, { signal: context.signal });
    return rebuild.latestState(whole, decoded('check', found, SILENT_QUARANTINE, checkOf));
  }

  /** Marks the days that are about to change. Resolves with the days that an interrupted writer has left marked. */
  async mark(days: readonly ServiceDay[]): Promise<readonly ServiceDay[]> {
    const entries = days.map(({ serviceKey, day }) => ({ serviceKey, day: new Date(day) }));
    const change = [{ $set: { days: { $setUnion: [{ $ifNull: ['$days', []] }, entries] } } }];
    return pendingOf(await this.#commits.commit((into) => into('status_pending').upsert({ _id: PENDING_DAYS }, change)));
  }

  async pending({ signal }: ReadContext): Promise<readonly ServiceDay[]> {
    return pendingOf(await this.#of('status_pending').findOne<Document>({ _id: PENDING_DAYS }, { signal }));
  }

  /** @param left the days that stay marked */
  async unmark(left: readonly ServiceDay[]): Promise<void> {
    const days = left.map(({ serviceKey, day }) => ({ serviceKey, day: new Date(day) }));
    await this.#commits.commit((into) => into('status_pending').update({ _id: PENDING_DAYS }, { $set: { days } }));
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
    await this.#commits.write('status_checks', checks.map(checkDocument).map(replacement));
    if (removedChecks.length > 0) await this.#commits.commit((into) => into('status_checks').remove({ _id: { $in: removedChecks.map(idOf) } }));
    const removals = removedDays.map(({ serviceKey, day }) => removal(dayId(serviceKey, day)));
    await this.#commits.write('status_days', [...days.map(dayDocument).map(replacement), ...removals]);
  }

  /** @param states by service; `null` deletes one */
  async writeLatestStates(states: ReadonlyMap<string, LatestState | null>): Promise<void> {
    const operations = [...states].map(([serviceKey, latest]) => (latest === null ? removal(serviceKey) : replacement(trailDocument(latest))));
    await this.#commits.write('status_trails', operations);
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
    await this.#commits.commit((into) => into('status_pending').update({ _id: PROGRESS }, { $set: { days } }, { upsert: true }));
  }

  async #days(ids: readonly string[], { signal }: ReadContext): Promise<readonly CountedDay[]> {
    if (ids.length === 0) return [];
    const found = await findDocuments(this.#of('status_days'), { _id: { $in: [...ids] } }, { signal });
    return decoded('status-day', found, SILENT_QUARANTINE, dayOf);
  }

  /** The last stored day before a day, without its hours; none if no check of such a day can still be valid. */
  async #lastBefore({ serviceKey, day }: ServiceDay, { signal }: ReadContext): Promise<readonly CountedDay[]> {
    const filter = { serviceKey, day: { $gte: new Date(day - MAX_VALIDITY_MS), $lt: new Date(day) } };
    const options = { signal, sort: { serviceKey: -1, day: -1 }, projection: WITHOUT_HOURS } as const;
    const found = await this.#of('status_days').findOne<Document>(filter, options);
    const before = found === null ? null : dayOf({ ...found, hours: [] });
    return before === null || before instanceof BadValue ? [] : [before];
  }

  #of(name: CollectionName): ReadCollection {
    return this.#collections.of(name);
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

function pendingOf(document: Document | null): ServiceDay[] {
  const days: unknown = document?.['days'];
  if (!Array.isArray(days)) return [];
  return days.flatMap((entry: { readonly serviceKey?: unknown; readonly day?: unknown } | null): ServiceDay[] =>
    typeof entry?.serviceKey === 'string' && entry.day instanceof Date ? [{ serviceKey: entry.serviceKey, day: entry.day.getTime() }] : [],
  );
}
