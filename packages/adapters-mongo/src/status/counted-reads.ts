import { quotable, type Instant, type ReadContext, type Tally, type Window } from '@vitrine/core';
import type { Document } from 'mongodb';
import { object } from '../documents/codec.js';
import { serviceKey } from '../documents/shared-fields.js';
import { instant } from '../documents/values.js';
import { decoded } from '../reading/decoding.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { DayHours, HoursByDay } from './counted-hours.js';
import { everyOne, hourTally } from './day-document.js';
import { daySumOf, segmentsOf, ServiceSums, sumPipeline, unusablePipeline, type DaySum } from './day-sums.js';
import type { MissingParts } from './missing-parts.js';
import { readAll } from './read-all.js';

/** Sums of whole days, and the hours of single days, by service. */
export interface CountedReads {
  tallyOf(serviceKey: string, days: Window): Tally;
  hoursOf(serviceKey: string): HoursByDay;
}

const hourFields = object({ serviceKey, day: instant, coveredUntil: instant, hours: everyOne(hourTally) });
const NO_HOURS: HoursByDay = new Map();

/** Reads all counts with one query. */
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
    if (row['isUnusable'] === true) reading.monitor.quarantined('status-day', quotable(String(row['_id'])), 'counts: wrong');
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

/** Of the previous days, only the end of their coverage is needed. */
function hoursPipeline(ids: readonly string[], missing: readonly MissingParts[]): Document[] {
  const days = [...new Set(missing.flatMap(({ hourDays }) => [...hourDays]))].map((day) => new Date(day));
  const hours = { $cond: [{ $in: ['$day', days] }, '$hours', []] };
  return [{ $match: { _id: { $in: [...ids] } } }, { $project: { serviceKey: 1, day: 1, coveredUntil: 1, hours } }];
}
