import { DAY, DaySums, quotable, type ReadContext, type ServiceDay, type ServiceNeeds, type TallyWindow } from '@vitrine/core';
import { Binary, type Document } from 'mongodb';
import { decoded } from '../reading/decoding.js';
import { aggregateDocuments, findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { dayId, dayTotals, WITHOUT_HOURS } from './day-document.js';

/** Sums of whole days, by service. */
export class SumReads {
  readonly #ranges: readonly TallyWindow[];
  readonly #sums = new Map<string, DaySums>();

  /** @param ranges of all services */
  constructor(ranges: readonly TallyWindow[]) {
    this.#ranges = ranges;
  }

  of(serviceKey: string): DaySums {
    const own = this.#sums.get(serviceKey) ?? new DaySums(this.#ranges);
    this.#sums.set(serviceKey, own);
    return own;
  }
}

/** Adds up whole days. Needs one query, and a second one if there are days without packed totals. */
export async function readSums(reading: MongoReading, needs: readonly ServiceNeeds[], context: ReadContext): Promise<SumReads> {
  const summed = needs.filter(({ sums }) => sums.length > 0);
  const ranges = [
    ...new Map(
      summed.flatMap(({ sums }) => sums).map((range) => [`${String(range.from)} ${String(range.to)} ${String(range.withoutLatency)}`, range]),
    ).values(),
  ];
  const sums = new SumReads(ranges);
  if (ranges.length === 0) return sums;
  const pipeline = packedPipeline(
    summed.map(({ serviceKey }) => serviceKey),
    ranges,
  );
  const { documents } = await reading.run(context, (options) => aggregateDocuments(reading.collections.of('status_days'), pipeline, options));
  const unpacked = documents.flatMap((row) => addPacked(reading, sums, row));
  if (unpacked.length > 0) await addUnpacked(reading, sums, unpacked, context);
  return sums;
}

/** All values come from the index. */
function packedPipeline(serviceKeys: readonly string[], ranges: readonly TallyWindow[]): Document[] {
  const [from, to] = [Math.min(...ranges.map((range) => range.from)), Math.max(...ranges.map((range) => range.to))];
  const match = { serviceKey: { $in: [...serviceKeys] }, day: { $gte: new Date(from - DAY), $lt: new Date(to) } };
  return [{ $match: match }, { $group: { _id: '$serviceKey', packed: { $push: { $ifNull: ['$packed', '$day'] } } } }];
}

/** Adds the packed days of one service. Returns the days without packed totals. */
function addPacked(reading: MongoReading, sums: SumReads, row: Document): ServiceDay[] {
  const serviceKey = String(row['_id']);
  const own = sums.of(serviceKey);
  return (row['packed'] as readonly unknown[]).flatMap((packed) => {
    if (packed instanceof Date) return [{ serviceKey, day: packed.getTime() }];
    if (!(packed instanceof Binary) || !own.addPacked(packed.buffer))
      reading.monitor.quarantined('status-day', quotable(serviceKey), 'packed: wrong');
    return [];
  });
}

/** Another program may have written days without packed totals. */
async function addUnpacked(reading: MongoReading, sums: SumReads, days: readonly ServiceDay[], context: ReadContext): Promise<void> {
  const filter = { _id: { $in: days.map(({ serviceKey, day }) => dayId(serviceKey, day)) } };
  const found = await reading.run(context, (options) =>
    findDocuments(reading.collections.of('status_days'), filter, { ...options, projection: { ...WITHOUT_HOURS, sources: 0 } }),
  );
  for (const day of decoded('status-day', found, reading.monitor, (row) => dayTotals.decode(row, ''))) sums.of(day.serviceKey).add(day);
}
