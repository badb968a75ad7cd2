import {
  CHECK_CLOCK_TOLERANCE_MS,
  checkedDayOf,
  DAY,
  EARLIEST_INSTANT,
  grouped,
  latestStateFrom,
  mergeTallies,
  pageOf,
  presentRange,
  quotable,
  recentHours,
  startOfDay,
  withNewest,
  type Check,
  type CheckedDay,
  type CheckReader,
  type DaysQuery,
  type Instant,
  type LatestState,
  type PresentChecks,
  type PresentQuery,
  type ReadContext,
  type StatusDay,
  type StatusHour,
  type SumsQuery,
  type Tally,
  type TimeListQuery,
  type TimePage,
  type Window,
} from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import { DAY_KEY, type CollectionName } from '../collections.js';
import { BadValue, type StoredDocument } from '../documents/codec.js';
import { aggregateDocuments, decoded, findDocuments, type FindDocumentsOptions } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { checkId, checkIdRange, checkOf, latestOf } from './check-document.js';
import { dayId, dayOf, hoursOf, plainDayOf } from './day-document.js';
import { addedUp, sumsPipelines } from './sums.js';

/** Days are read in the order of their index. */
const BY_DAY = { serviceKey: 1, day: 1 } as const;

/** The reader of checks. A day without `changedAt` and durations was counted by an earlier version. */
export class MongoCheckReader implements CheckReader {
  /** @param retentionMs how long raw checks are kept */
  constructor(
    private readonly reading: MongoReading,
    private readonly retentionMs: number,
  ) {}

  /** Needs two queries. */
  async sums({ serviceKeys, ranges }: SumsQuery, context: ReadContext): Promise<ReadonlyMap<string, readonly Tally[]>> {
    const days = this.reading.collections.of('status_days');
    const found = await Promise.all(
      sumsPipelines(serviceKeys, ranges).map((pipeline) => this.reading.run(context, (options) => aggregateDocuments(days, pipeline, options))),
    );
    const documents = found.flatMap((part) => part.documents);
    return addedUp(documents, ranges, this.reading.monitor);
  }

  /** Needs three queries, and one more if the clock of a source is ahead. */
  async present({ serviceKeys, now }: PresentQuery, context: ReadContext): Promise<ReadonlyMap<string, PresentChecks>> {
    const stored = await this.#latestStates(serviceKeys, context);
    const keys = stored.map(({ serviceKey }) => serviceKey);
    const { from, to } = presentRange(now);
    const recent = recentHours(now);
    const days = [...new Set([startOfDay(recent.from), startOfDay(now)])];
    const [states, hours, checks] = await Promise.all([
      this.#until(stored, now + CHECK_CLOCK_TOLERANCE_MS, context),
      this.#hours(
        keys.flatMap((key) => days.map((day) => dayId(key, day))),
        context,
      ),
      this.#checks(serviceKeys === null ? null : keys, { from, to }, context),
    ]);
    const found = new Map<string, PresentChecks>();
    for (const latest of states) {
      const { serviceKey } = latest;
      const own = days.flatMap((day) => hours.get(dayId(serviceKey, day)) ?? []);
      found.set(serviceKey, {
        latest,
        hours: own.filter(({ hour }) => hour >= recent.from && hour < recent.to),
        checks: checks.get(serviceKey) ?? [],
      });
    }
    return found;
  }

  async days({ serviceKeys, window }: DaysQuery, context: ReadContext): Promise<ReadonlyMap<string, readonly StatusDay[]>> {
    const filter = { serviceKey: keyFilter(serviceKeys), day: { $gte: new Date(window.from), $lt: new Date(window.to) } };
    const options = { sort: BY_DAY, projection: { hours: 0, packed: 0, packedHours: 0, sources: 0 } };
    const found = await this.#found('status_days', filter, 'status-day', dayOf, options, context);
    return grouped(
      found.map((day) => ({ ...day, ...mergeTallies([day], window) })),
      ({ serviceKey }) => serviceKey,
    );
  }

  async hours(serviceKey: string, { from, to }: Window, context: ReadContext): Promise<readonly StatusHour[]> {
    const ids: string[] = [];
    for (let day = startOfDay(from); day < to; day += DAY) ids.push(dayId(serviceKey, day));
    const found = await this.#hours(ids, context);
    return ids.flatMap((id) => found.get(id) ?? []).filter(({ hour }) => hour >= from && hour < to);
  }

  /** Newest first and then by source, which is the order of ids. Only the last page may be shorter. */
  async list(serviceKey: string, query: TimeListQuery, context: ReadContext): Promise<TimePage<Check>> {
    const limit = query.limit + 1;
    const range = checkIdRange(serviceKey, Math.max(query.from ?? EARLIEST_INSTANT, this.#firstKeptDay()), query.to);
    const checks: Check[] = [];
    let start: { readonly $gt: string } | { readonly $gte: string } =
      query.after === null ? { $gte: range.$gte } : { $gt: laterId(range.$gte, checkId(serviceKey, query.after.time, query.after.id)) };
    for (;;) {
      const found = await this.reading.run(context, (options) =>
        findDocuments(this.reading.collections.of('status_checks'), { _id: { ...start, $lt: range.$lt } }, { ...options, limit, sort: { _id: 1 } }),
      );
      checks.push(...decoded('check', found, this.reading.monitor, checkOf));
      const last: unknown = found.documents.at(-1)?.['_id'];
      if (checks.length >= limit || found.documents.length < limit || typeof last !== 'string')
        return pageOf(checks.slice(0, limit), query.limit, ({ checkedAt, provenance }) => ({ time: checkedAt, id: provenance.source }));
      start = { $gt: last };
    }
  }

  /** The days whose raw checks are kept, by service, oldest first. Reads the index alone. */
  async checkedDays({ signal }: ReadContext): Promise<ReadonlyMap<string, readonly CheckedDay[]>> {
    const filter = { serviceKey: keyFilter(null), day: { $gte: new Date(this.#firstKeptDay()) } };
    const options = { signal, sort: BY_DAY, projection: { _id: 0, ...DAY_KEY } } as const;
    const found = await findDocuments(this.reading.collections.of('status_days'), filter, options);
    const checked = new Map<string, CheckedDay[]>();
    for (const document of found.documents) {
      const plain = plainDayOf(document);
      const day = plain instanceof BadValue ? null : checkedDayOf(plain);
      if (plain instanceof BadValue) this.reading.monitor.quarantined('status-day', quotable(String(document['serviceKey'])), plain.toString());
      if (plain instanceof BadValue || day === null) continue;
      const days = checked.get(plain.serviceKey) ?? [];
      days.push(day);
      checked.set(plain.serviceKey, days);
    }
    return checked;
  }

  async #latestStates(serviceKeys: readonly string[] | null, context: ReadContext): Promise<readonly LatestState[]> {
    const found = await this.#found('status_trails', { _id: keyFilter(serviceKeys) }, 'status-day', latestOf, {}, context);
    // Raw checks of frozen days are no longer shown, even if they are still stored.
    return found.map((state) => latestStateFrom(state, this.#firstKeptDay()));
  }

  async #hours(ids: readonly string[], context: ReadContext): Promise<ReadonlyMap<string, readonly StatusHour[]>> {
    if (ids.length === 0) return new Map();
    const found = await this.reading.run(context, (options) =>
      aggregateDocuments(this.reading.collections.of('status_hours'), hoursPipeline(ids), options),
    );
    // A day that two versions have written has two documents. The first one is that of its hours.
    const hours = decoded('status-day', found, this.reading.monitor, hoursOf).toReversed();
    return new Map(hours.map(({ serviceKey, day, hours: own }) => [dayId(serviceKey, day), own]));
  }

  async #checks(serviceKeys: readonly string[] | null, { from, to }: Window, context: ReadContext): Promise<ReadonlyMap<string, readonly Check[]>> {
    // For single services, the ids are a range; for all, the index of times is one.
    const filter: Filter<StoredDocument> =
      serviceKeys === null
        ? { checkedAt: { $gte: new Date(from), $lte: new Date(to) } }
        : { $or: serviceKeys.map((key) => ({ _id: checkIdRange(key, from, to) })) };
    if (serviceKeys?.length === 0) return new Map();
    const found = await this.#found('status_checks', filter, 'check', checkOf, {}, context);
    return grouped(
      found.sort((a, b) => a.checkedAt - b.checkedAt),
      ({ serviceKey }) => serviceKey,
    );
  }

  /** The clock of a source may be ahead: then older checks count. One query finds those of all services. */
  async #until(states: readonly LatestState[], until: Instant, context: ReadContext): Promise<readonly LatestState[]> {
    const isAhead = (check: Check | null): boolean => check !== null && check.checkedAt > until;
    const ahead = states.flatMap(({ serviceKey, sources }) =>
      sources.flatMap(({ newest, known }) => (isAhead(newest) || isAhead(known) ? [{ serviceKey, source: newest.provenance.source }] : [])),
    );
    const [first, ...others] = ahead.flatMap(({ serviceKey, source }) => this.#newestPipelines(serviceKey, source, until));
    if (first === undefined) return states;
    const pipeline = [...first, ...others.map((other) => ({ $unionWith: { coll: 'status_checks', pipeline: other } }))];
    const found = await this.reading.run(context, (options) => aggregateDocuments(this.reading.collections.of('status_checks'), pipeline, options));
    const checks = decoded('check', found, this.reading.monitor, checkOf);
    return states.map((state) => {
      const counted = state.sources.flatMap(({ newest, known }) => [newest, known]).filter((check) => check !== null && !isAhead(check));
      const own = [...counted.filter((check) => check !== null), ...checks.filter(({ serviceKey }) => serviceKey === state.serviceKey)];
      return { ...state, sources: withNewest([], own) };
    });
  }

  /** The newest check of a source, and the newest that is not `unknown`. */
  #newestPipelines(serviceKey: string, source: string, until: Instant): readonly Document[][] {
    const range = { _id: checkIdRange(serviceKey, this.#firstKeptDay(), until), 'provenance.source': source };
    return [range, { ...range, state: { $ne: 'unknown' } }].map((match) => [{ $match: match }, { $sort: { _id: 1 } }, { $limit: 1 }]);
  }

  async #found<Value>(
    name: CollectionName,
    filter: Filter<StoredDocument>,
    kind: 'check' | 'status-day',
    decode: (document: unknown) => Value | BadValue,
    own: FindDocumentsOptions,
    context: ReadContext,
  ): Promise<Value[]> {
    const found = await this.reading.run(context, (options) => findDocuments(this.reading.collections.of(name), filter, { ...options, ...own }));
    return decoded(kind, found, this.reading.monitor, decode);
  }

  #firstKeptDay(): Instant {
    return Math.ceil((this.reading.clock.now() - this.retentionMs) / DAY) * DAY;
  }
}

function keyFilter(serviceKeys: readonly string[] | null): Document {
  return serviceKeys === null ? { $gt: '' } : { $in: [...new Set(serviceKeys)] };
}

function laterId(a: string, b: string): string {
  return a < b ? b : a;
}

/** The documents with the hours of days. Earlier versions stored the hours in the documents of the days. */
function hoursPipeline(ids: readonly string[]): Document[] {
  const own = { $match: { _id: { $in: [...ids] } } };
  const old = [{ $match: { _id: { $in: [...ids] }, hours: { $exists: true } } }, { $project: { serviceKey: 1, day: 1, hours: 1 } }];
  return [own, { $unionWith: { coll: 'status_days', pipeline: old } }];
}
