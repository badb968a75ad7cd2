import {
  DAY,
  DaySums,
  quotable,
  type DayHours,
  type Instant,
  type ReadContext,
  type ServiceDay,
  type ServiceNeeds,
  type Window,
} from '@vitrine/core';
import { Binary, type Document } from 'mongodb';
import { object } from '../documents/codec.js';
import { serviceKey } from '../documents/shared-fields.js';
import { instant } from '../documents/values.js';
import { decoded } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { dayId, dayTotals, everyOne, hourTally } from './day-document.js';
import { readAll } from './read-all.js';

const hourFields = object({ serviceKey, day: instant, coveredUntil: instant, hours: everyOne(hourTally) });

/** Sums of whole days, and the hours of single days, by service. */
export class CountedReads {
  readonly #ranges: readonly Window[];
  readonly #sums = new Map<string, DaySums>();
  readonly #days = new Map<string, Map<Instant, DayHours>>();

  /** @param ranges of all services */
  constructor(ranges: readonly Window[]) {
    this.#ranges = ranges;
  }

  sumsOf(serviceKey: string): DaySums {
    const own = this.#sums.get(serviceKey) ?? new DaySums(this.#ranges);
    this.#sums.set(serviceKey, own);
    return own;
  }

  hoursOf(serviceKey: string): Map<Instant, DayHours> {
    const own = this.#days.get(serviceKey) ?? new Map<Instant, DayHours>();
    this.#days.set(serviceKey, own);
    return own;
  }
}

/** Reads all counts with one query, and with a second one if there are days without packed totals. */
export async function readCounted(reading: MongoReading, needs: readonly ServiceNeeds[], context: ReadContext): Promise<CountedReads> {
  const counted = new CountedReads(needs.flatMap(({ sums }) => sums));
  const found = await readAll(reading, 'status_days', [...hoursPipelines(needs), ...sumPipelines(needs)], context);
  const isSum = (row: Document): boolean => Array.isArray(row['packed']);
  const unpacked = found.documents.filter(isSum).flatMap((row) => addPacked(reading, counted.sumsOf(String(row['_id'])), row));
  await addUnpacked(reading, counted, unpacked, context);
  const single = { ...found, documents: found.documents.filter((row) => !isSum(row)) };
  const days = decoded('status-day', single, reading.monitor, (row) => hourFields.decode(row, ''));
  for (const { serviceKey: key, day, ...stored } of days) counted.hoursOf(key).set(day, stored);
  return counted;
}

/** Adds the packed days of one service. Returns the days without packed totals. */
function addPacked(reading: MongoReading, sums: DaySums, row: Document): ServiceDay[] {
  const serviceKey = String(row['_id']);
  return (row['packed'] as readonly unknown[]).flatMap((packed) => {
    if (packed instanceof Date) return [{ serviceKey, day: packed.getTime() }];
    if (!(packed instanceof Binary) || !sums.addPacked(packed.buffer))
      reading.monitor.quarantined('status-day', quotable(serviceKey), 'packed: wrong');
    return [];
  });
}

/** Another program may have written days without packed totals. */
async function addUnpacked(reading: MongoReading, counted: CountedReads, days: readonly ServiceDay[], context: ReadContext): Promise<void> {
  if (days.length === 0) return;
  const filter = { _id: { $in: days.map((one) => dayId(one.serviceKey, one.day)) } };
  const found = await reading.run(context, (options) =>
    findDocuments(reading.collections.of('status_days'), filter, { ...options, projection: { hours: 0, sources: 0 } }),
  );
  for (const day of decoded('status-day', found, reading.monitor, (row) => dayTotals.decode(row, ''))) counted.sumsOf(day.serviceKey).add(day);
}

/** All values come from the index. */
function sumPipelines(needs: readonly ServiceNeeds[]): Document[][] {
  const summed = needs.filter(({ sums }) => sums.length > 0);
  const ranges = summed.flatMap(({ sums }) => sums);
  if (ranges.length === 0) return [];
  const [from, to] = [Math.min(...ranges.map((range) => range.from)), Math.max(...ranges.map((range) => range.to))];
  const day = { $gte: new Date(from - DAY), $lt: new Date(to) };
  const match = { serviceKey: { $in: summed.map((one) => one.serviceKey) }, day };
  return [[{ $match: match }, { $group: { _id: '$serviceKey', packed: { $push: { $ifNull: ['$packed', '$day'] } } } }]];
}

/** Of the day before, only the end of its coverage is needed. */
function hoursPipelines(needs: readonly ServiceNeeds[]): Document[][] {
  const ids = needs.flatMap(({ serviceKey: key, hourDays }) => hourDays.flatMap((day) => [dayId(key, day - DAY), dayId(key, day)]));
  if (ids.length === 0) return [];
  const days = [...new Set(needs.flatMap(({ hourDays }) => hourDays))].map((day) => new Date(day));
  const hours = { $cond: [{ $in: ['$day', days] }, '$hours', []] };
  return [[{ $match: { _id: { $in: ids } } }, { $project: { serviceKey: 1, day: 1, coveredUntil: 1, hours } }]];
}
