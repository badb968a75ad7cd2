import { DAY, DaySums, quotable, segmentsOf, type DayHours, type Instant, type ReadContext, type ServiceNeeds, type Window } from '@vitrine/core';
import type { Document } from 'mongodb';
import { object } from '../documents/codec.js';
import { serviceKey } from '../documents/shared-fields.js';
import { instant } from '../documents/values.js';
import { decoded } from '../reading/decoding.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { dayId, everyOne, hourTally } from './day-document.js';
import { daySumOf, sumPipeline, unusablePipeline } from './day-sums.js';
import { readAll } from './read-all.js';

const hourFields = object({ serviceKey, day: instant, coveredUntil: instant, hours: everyOne(hourTally) });

/** Sums of whole days, and the hours of single days, by service. */
export class CountedReads {
  readonly #segments: readonly Window[];
  readonly #sums = new Map<string, DaySums>();
  readonly #days = new Map<string, Map<Instant, DayHours>>();

  constructor(segments: readonly Window[]) {
    this.#segments = segments;
  }

  sumsOf(serviceKey: string): DaySums {
    const own = this.#sums.get(serviceKey) ?? new DaySums(this.#segments);
    this.#sums.set(serviceKey, own);
    return own;
  }

  hoursOf(serviceKey: string): Map<Instant, DayHours> {
    const own = this.#days.get(serviceKey) ?? new Map<Instant, DayHours>();
    this.#days.set(serviceKey, own);
    return own;
  }
}

/** Reads all counts with one query. */
export async function readCounted(reading: MongoReading, needs: readonly ServiceNeeds[], context: ReadContext): Promise<CountedReads> {
  const segments = segmentsOf(needs.flatMap(({ sums }) => sums));
  const found = await readAll(reading, 'status_days', [...hoursPipelines(needs), ...sumPipelines(needs, segments)], context);
  const counted = new CountedReads(segments);
  const single: Document[] = [];
  for (const row of found.documents) {
    if (row['isUnusable'] === true) reading.monitor.quarantined('status-day', quotable(String(row['_id'])), 'counts: wrong');
    else if (typeof row['_id'] === 'string') single.push(row);
    else addSum(counted, row);
  }
  const days = decoded('status-day', { ...found, documents: single }, reading.monitor, (row) => hourFields.decode(row, ''));
  for (const { serviceKey: key, day, ...stored } of days) counted.hoursOf(key).set(day, stored);
  return counted;
}

function addSum(counted: CountedReads, row: Document): void {
  const sum = daySumOf(row);
  if (sum !== null) counted.sumsOf(sum.serviceKey).add(sum);
}

function sumPipelines(needs: readonly ServiceNeeds[], segments: readonly Window[]): Document[][] {
  const summed = needs.filter(({ sums }) => sums.length > 0).map((one) => one.serviceKey);
  return summed.length === 0 ? [] : [sumPipeline(summed, segments), unusablePipeline(summed, segments)];
}

/** Of the day before, only the end of its coverage is needed. */
function hoursPipelines(needs: readonly ServiceNeeds[]): Document[][] {
  const ids = needs.flatMap(({ serviceKey: key, hourDays }) => hourDays.flatMap((day) => [dayId(key, day - DAY), dayId(key, day)]));
  if (ids.length === 0) return [];
  const days = [...new Set(needs.flatMap(({ hourDays }) => hourDays))].map((day) => new Date(day));
  const hours = { $cond: [{ $in: ['$day', days] }, '$hours', []] };
  return [[{ $match: { _id: { $in: ids } } }, { $project: { serviceKey: 1, day: 1, coveredUntil: 1, hours } }]];
}
