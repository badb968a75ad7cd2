import {
  CHECK_CLOCK_TOLERANCE_MS,
  checkedDays,
  DAY,
  EARLIEST_INSTANT,
  grouped,
  latestStateFrom,
  mergeTallies,
  pageOf,
  presentByService,
  presentRange,
  quotable,
  recentHours,
  startOfDay,
  withNewest,
} from '@vitrine/core';
import type { Check, CheckedDay, CheckReader, Instant, LatestState, PresentQuery, ReadContext, StatusHour, Window } from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import { DAY_KEY } from '../collections.js';
import { BadValue, type StoredDocument } from '../documents/codec.js';
import { findDocuments, lastIdOf, type MongoReading } from '../reading/mongo-reading.js';
import { checkId, checkIdRange, checkOf, dayId, dayOf, hoursOf, latestOf, plainDayOf } from './status-documents.js';
import { addedUp, sumsPipelines } from './sums.js';

/** Days are read in the order of their index. */
const BY_DAY = { serviceKey: 1, day: 1 } as const;

/** The reader of checks. A day without `changedAt` and durations was counted by an earlier version. @param retentionMs how long raw checks are kept */
export function mongoCheckReader(reading: MongoReading, retentionMs: number): CheckReader {
  const keptFrom = (): Instant => firstKeptDay(reading, retentionMs);
  return {
    sums: async ({ serviceKeys, ranges }, context) => {
      const pipelines = sumsPipelines(serviceKeys, ranges);
      const found = await Promise.all(pipelines.map((pipeline) => reading.aggregate('status_days', pipeline, context)));
      return addedUp(found.flat(), ranges, reading.monitor);
    },
    present: (query, context) => presentChecks(reading, keptFrom(), query, context),
    days: async ({ serviceKeys, window }, context) => {
      const filter = { serviceKey: keyFilter(serviceKeys), day: { $gte: new Date(window.from), $lt: new Date(window.to) } };
      const options = { sort: BY_DAY, projection: { hours: 0, packed: 0, packedHours: 0, sources: 0 } };
      const found = reading.decoded('status-day', await reading.find('status_days', filter, options, context), dayOf);
      const shown = found.map((day) => ({ ...day, ...mergeTallies([day], window) }));
      return grouped(shown, ({ serviceKey }) => serviceKey);
    },
    hours: async (serviceKey, window, context) => (await hoursIn(reading, [serviceKey], window, context)).get(serviceKey) ?? [],
    /** Newest first and then by source, which is the order of ids. Only the last page may be shorter. */
    list: async (serviceKey, { after, from, limit, to }, context) => {
      const range = checkIdRange(serviceKey, Math.max(from ?? EARLIEST_INSTANT, keptFrom()), to);
      const page = { limit: limit + 1, sort: { _id: 1 } } as const;
      const checks: Check[] = [];
      for (let start = after === null ? range : { ...range, $gt: checkId(serviceKey, after.time, after.id) }; ;) {
        const found = await reading.find('status_checks', { _id: start }, page, context);
        checks.push(...reading.decoded('check', found, checkOf));
        const last = lastIdOf(found);
        if (checks.length > limit || found.length <= limit || last === null)
          return pageOf(checks.slice(0, limit + 1), limit, ({ checkedAt, provenance }) => ({ time: checkedAt, id: provenance.source }));
        start = { ...range, $gt: last };
      }
    },
  };
}

function firstKeptDay({ clock }: MongoReading, retentionMs: number): Instant {
  return Math.ceil((clock.now() - retentionMs) / DAY) * DAY;
}

/** The days whose raw checks are kept, by service, oldest first. Reads the index alone. */
export async function storedCheckedDays(
  reading: MongoReading,
  retentionMs: number,
  { signal }: ReadContext,
): Promise<ReadonlyMap<string, readonly CheckedDay[]>> {
  const filter = { serviceKey: keyFilter(null), day: { $gte: new Date(firstKeptDay(reading, retentionMs)) } };
  const options = { signal, sort: BY_DAY, projection: { _id: 0, ...DAY_KEY } } as const;
  const documents = await findDocuments(reading.collections.of('status_days'), filter, options);
  const days = documents.flatMap((document) => {
    const plain = plainDayOf(document);
    if (!(plain instanceof BadValue)) return [plain];
    reading.monitor.quarantined('status-day', quotable(String(document['serviceKey'])), plain.toString());
    return [];
  });
  return checkedDays(days);
}

/** Needs three queries, and one more if the clock of a source is ahead. Raw checks of frozen days are no longer shown, even if they are still stored. */
async function presentChecks(reading: MongoReading, keptFrom: Instant, { serviceKeys, now }: PresentQuery, context: ReadContext) {
  const found = await reading.find('status_trails', { _id: keyFilter(serviceKeys) }, {}, context);
  const stored = reading.decoded('status-day', found, latestOf).map((state) => latestStateFrom(state, keptFrom));
  const keys = stored.map(({ serviceKey }) => serviceKey);
  const [states, hours, checks] = await Promise.all([
    statesUntil(reading, keptFrom, stored, now + CHECK_CLOCK_TOLERANCE_MS, context),
    hoursIn(reading, keys, recentHours(now), context),
    checksIn(reading, serviceKeys === null ? null : keys, presentRange(now), context),
  ]);
  return presentByService(states, hours, checks);
}

async function hoursIn(reading: MongoReading, serviceKeys: readonly string[], { from, to }: Window, context: ReadContext) {
  const ids: string[] = [];
  for (let day = startOfDay(from); day < to; day += DAY) ids.push(...serviceKeys.map((key) => dayId(key, day)));
  if (ids.length === 0) return new Map<string, readonly StatusHour[]>();
  const ofDays = { _id: { $in: ids } };
  // Earlier versions stored the hours in the documents of the days.
  const old = [{ $match: { ...ofDays, hours: { $exists: true } } }, { $project: { serviceKey: 1, day: 1, hours: 1 } }];
  const pipeline = [{ $match: ofDays }, { $unionWith: { coll: 'status_days', pipeline: old } }];
  const documents = await reading.aggregate('status_hours', pipeline, context);
  // A day that two versions have written has two documents. The first one is that of its hours.
  const hours = reading.decoded('status-day', documents, hoursOf).toReversed();
  const stored = new Map(hours.map((day) => [dayId(day.serviceKey, day.day), day]));
  const found = ids.flatMap((id) => stored.get(id) ?? []);
  return new Map(
    [...grouped(found, ({ serviceKey }) => serviceKey)].map(([key, own]) => [
      key,
      own.flatMap(({ hours }) => hours).filter(({ hour }) => hour >= from && hour < to),
    ]),
  );
}

async function checksIn(reading: MongoReading, serviceKeys: readonly string[] | null, { from, to }: Window, context: ReadContext) {
  if (serviceKeys?.length === 0) return new Map<string, readonly Check[]>();
  // For single services, the ids are a range; for all, the index of times is one.
  const filter: Filter<StoredDocument> =
    serviceKeys === null
      ? { checkedAt: { $gte: new Date(from), $lte: new Date(to) } }
      : { $or: serviceKeys.map((key) => ({ _id: checkIdRange(key, from, to) })) };
  const checks = reading.decoded('check', await reading.find('status_checks', filter, {}, context), checkOf);
  checks.sort((a, b) => a.checkedAt - b.checkedAt);
  return grouped(checks, ({ serviceKey }) => serviceKey);
}

/** The clock of a source may be ahead: then older checks count. One query finds those of all services. */
async function statesUntil(
  reading: MongoReading,
  keptFrom: Instant,
  states: readonly LatestState[],
  until: Instant,
  context: ReadContext,
): Promise<readonly LatestState[]> {
  const isCounted = (check: Check | null): check is Check => check !== null && check.checkedAt <= until;
  const pipelines = states.flatMap(({ serviceKey, sources }) =>
    sources
      .filter(({ newest, known }) => !isCounted(newest) || (known !== null && !isCounted(known)))
      .flatMap(({ newest }) => newestPipelines(newest.provenance.source, checkIdRange(serviceKey, keptFrom, until))),
  );
  const [first, ...others] = pipelines;
  if (first === undefined) return states;
  const pipeline = [...first, ...others.map((other) => ({ $unionWith: { coll: 'status_checks', pipeline: other } }))];
  const checks = reading.decoded('check', await reading.aggregate('status_checks', pipeline, context), checkOf);
  return states.map((state) => {
    const counted = state.sources.flatMap(({ newest, known }) => [newest, known].filter(isCounted));
    return { ...state, sources: withNewest([], [...counted, ...checks.filter(({ serviceKey }) => serviceKey === state.serviceKey)]) };
  });
}

/** The newest check of a source in a range of ids, and the newest that is not `unknown`. */
function newestPipelines(source: string, ids: Document): readonly Document[][] {
  const range = { _id: ids, 'provenance.source': source };
  return [range, { ...range, state: { $ne: 'unknown' } }].map((match) => [{ $match: match }, { $sort: { _id: 1 } }, { $limit: 1 }]);
}

function keyFilter(serviceKeys: readonly string[] | null): Document {
  return serviceKeys === null ? { $gt: '' } : { $in: [...new Set(serviceKeys)] };
}
