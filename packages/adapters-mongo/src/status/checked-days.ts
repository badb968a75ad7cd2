import { checkedDayOf, checkedDayOfPacked, type CheckedDay, type Instant, type ReadContext, type ServiceDay } from '@vitrine/core';
import { Binary, type Document } from 'mongodb';
import { decoded } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { dayId, dayTotals, WITHOUT_HOURS } from './day-document.js';

/** The fields of the index, so that no document is read. */
const INDEXED = { _id: 0, serviceKey: 1, day: 1, packed: 1 } as const;

/**
 * The days from a time on, by service, oldest first. Needs one query, and a second one if there are days without packed totals.
 *
 * @param keptFrom raw checks of days that start earlier are not kept
 */
export async function readCheckedDays(
  reading: MongoReading,
  keptFrom: Instant,
  { signal }: ReadContext,
): Promise<ReadonlyMap<string, readonly CheckedDay[]>> {
  const options = { signal, projection: INDEXED, sort: { serviceKey: 1, day: 1 } } as const;
  const filter = { serviceKey: { $gt: '' }, day: { $gte: new Date(keptFrom) } };
  const days: (CheckedDay & ServiceDay)[] = [];
  const unpacked: ServiceDay[] = [];
  for await (const document of reading.collections.of('status_days').find<Document>(filter, options)) {
    const { serviceKey, day, packed } = document as Readonly<Record<string, unknown>>;
    if (typeof serviceKey !== 'string' || !(day instanceof Date)) continue;
    const short = packed instanceof Binary ? checkedDayOfPacked(packed.buffer) : null;
    if (short === null) unpacked.push({ serviceKey, day: day.getTime() });
    else days.push({ serviceKey, ...short });
  }
  return byService([...days, ...(await unpackedDays(reading, unpacked, signal))]);
}

/** Another program may have written days without packed totals. */
async function unpackedDays(reading: MongoReading, days: readonly ServiceDay[], signal: AbortSignal): Promise<readonly (CheckedDay & ServiceDay)[]> {
  if (days.length === 0) return [];
  const filter = { _id: { $in: days.map(({ serviceKey, day }) => dayId(serviceKey, day)) } };
  const found = await findDocuments(reading.collections.of('status_days'), filter, { signal, projection: { ...WITHOUT_HOURS, sources: 0 } });
  const totals = decoded('status-day', found, reading.monitor, (row) => dayTotals.decode(row, ''));
  return totals.map((day) => ({ serviceKey: day.serviceKey, ...checkedDayOf(day) }));
}

function byService(days: readonly (CheckedDay & ServiceDay)[]): ReadonlyMap<string, readonly CheckedDay[]> {
  const found = new Map<string, CheckedDay[]>();
  for (const { serviceKey, ...day } of days) {
    const own = found.get(serviceKey);
    if (own === undefined) found.set(serviceKey, [day]);
    else own.push(day);
  }
  for (const own of found.values()) own.sort((a, b) => a.day - b.day);
  return found;
}
