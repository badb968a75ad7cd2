import { CHECK_CLOCK_TOLERANCE_MS, EARLIEST_INSTANT, HOUR, type Check, type Instant, type ReadContext, type Tally, type Window } from '@vitrine/core';
import type { Document } from 'mongodb';
import { object } from '../documents/codec.js';
import { serviceKey } from '../documents/shared-fields.js';
import { instant } from '../documents/values.js';
import { aggregateDocuments } from '../reading/find-documents.js';
import { decoded } from '../reading/decoding.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { checkIdRange, checkOf } from './check-document.js';
import type { DayHours, HoursByDay } from './counted-hours.js';
import { everyOne, hourTally } from './day-document.js';
import { daySumOf, segmentsOf, ServiceSums, sumPipeline, unusablePipeline, type DaySum } from './day-sums.js';
import type { MissingParts } from './missing-parts.js';

/** Sums of whole days and the hours of single days, by service. */
export interface CountedReads {
  tallyOf(serviceKey: string, days: Window): Tally;
  hoursOf(serviceKey: string): HoursByDay;
}

const hourFields = object({ serviceKey, day: instant, coveredUntil: instant, hours: everyOne(hourTally) });
const NO_HOURS: HoursByDay = new Map();

/** One query for everything that is counted. */
export async function readCounted(reading: MongoReading, missing: readonly MissingParts[], context: ReadContext): Promise<CountedReads> {
  const summed = missing.filter(({ days }) => days.length > 0).map((parts) => parts.serviceKey);
  const segments = segmentsOf(missing.flatMap(({ days }) => days));
  const ids = missing.flatMap(({ hourDocuments }) => hourDocuments);
  const pipelines = [
    ...(ids.length === 0 ? [] : [hoursPipeline(ids, missing)]),
    ...(summed.length === 0 ? [] : [sumPipeline(summed, segments), unusablePipeline(summed, segments)]),
  ];
  const found = await readAll(reading, 'status_days', pipelines, context);
  const sums = new Map<string, ServiceSums>();
  const hours = new Map<string, Map<Instant, DayHours>>();
  for (const row of found.documents) {
    if (row['isUnusable'] === true) reading.monitor.quarantined('status-day', String(row['_id']), 'counts: wrong');
    else if (typeof row['_id'] === 'object') addSum(sums, segments, daySumOf(row));
  }
  const single = { ...found, documents: found.documents.filter((row) => typeof row['_id'] === 'string' && row['isUnusable'] !== true) };
  for (const { serviceKey: key, day, ...stored } of decoded('status-day', single, reading.monitor, (row) => hourFields.decode(row, ''))) {
    const days = hours.get(key) ?? new Map<Instant, DayHours>();
    hours.set(key, days.set(day, stored));
  }
  return {
    tallyOf: (key, days) => (sums.get(key) ?? new ServiceSums(segments)).tallyOf(days),
    hoursOf: (key) => hours.get(key) ?? NO_HOURS,
  };
}

function addSum(sums: Map<string, ServiceSums>, segments: readonly Window[], sum: DaySum | null): void {
  if (sum === null) return;
  const own = sums.get(sum.serviceKey) ?? new ServiceSums(segments);
  own.add(sum);
  sums.set(sum.serviceKey, own);
}

/** Of the days before only the end of what they cover is of use. */
function hoursPipeline(ids: readonly string[], missing: readonly MissingParts[]): Document[] {
  const days = [...new Set(missing.flatMap(({ hourDays }) => [...hourDays]))].map((day) => new Date(day));
  const hours = { $cond: [{ $in: ['$day', days] }, '$hours', []] };
  return [{ $match: { _id: { $in: [...ids] } } }, { $project: { serviceKey: 1, day: 1, coveredUntil: 1, hours } }];
}

/** The newest check of a source that counts by now, where newer ones are ahead of our clock. */
export interface NewestOfSource {
  readonly serviceKey: string;
  readonly source: string;
  readonly isKnown: boolean;
}

/** One query for all raw checks, by service and in time order; those of the wanted sources may be from any time. */
export async function readRaw(
  reading: MongoReading,
  missing: readonly MissingParts[],
  newest: readonly NewestOfSource[],
  now: Instant,
  context: ReadContext,
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const latest = now + CHECK_CLOCK_TOLERANCE_MS;
  const ranges = missing.flatMap((parts) => [
    ...[...parts.rawHours].map((hour) => ({ _id: checkIdRange(parts.serviceKey, hour, hour + HOUR - 1) })),
    ...(parts.openFrom === null ? [] : [{ _id: checkIdRange(parts.serviceKey, parts.openFrom, latest) }]),
  ]);
  const pipelines = [...(ranges.length === 0 ? [] : [[{ $match: { $or: ranges } }]]), ...newest.map((one) => newestPipeline(one, latest))];
  const found = await readAll(reading, 'status_checks', pipelines, context);
  const checks = new Map<string, Map<string, Check>>();
  for (const check of decoded('check', found, reading.monitor, checkOf)) {
    const own = checks.get(check.serviceKey) ?? new Map<string, Check>();
    checks.set(check.serviceKey, own.set(`${String(check.checkedAt)} ${check.provenance.source}`, check));
  }
  return new Map([...checks].map(([key, own]) => [key, [...own.values()].sort((a, b) => a.checkedAt - b.checkedAt)]));
}

function newestPipeline({ serviceKey: key, source, isKnown }: NewestOfSource, latest: Instant): Document[] {
  const state = isKnown ? { state: { $ne: 'unknown' } } : {};
  return [
    { $match: { _id: checkIdRange(key, EARLIEST_INSTANT, latest), 'provenance.source': source, ...state } },
    { $sort: { _id: 1 } },
    { $limit: 1 },
  ];
}

/** What several pipelines over one collection find, in one command. */
function readAll(reading: MongoReading, coll: 'status_days' | 'status_checks', pipelines: readonly Document[][], context: ReadContext) {
  const [first, ...others] = pipelines;
  if (first === undefined) return Promise.resolve({ documents: [], damaged: new Set<Document>() });
  const pipeline = [...first, ...others.map((other) => ({ $unionWith: { coll, pipeline: other } }))];
  return reading.run(context, (options) => aggregateDocuments(reading.collections.of(coll), pipeline, options));
}
