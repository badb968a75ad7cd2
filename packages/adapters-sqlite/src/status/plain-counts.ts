import { countDay, DAY, HOUR, NOTHING_CARRIED, reaches } from '@vitrine/core';
import type { Carry, Instant, LatencyHistogram, StateCounts, StatusDay, StatusHour } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { isNumber, listOf, objectOf, storedJson } from '../records/reading.js';
import { StatusStore } from './status-store.js';
import { COUNT_TABLES } from './status-tables.js';

type OldTally = Pick<StatusHour, 'counts' | 'coveredMs' | 'latency' | 'coveredUntil'>;
type OldHour = OldTally & { readonly hour: number };
/** `hours`: empty if they are packed. */
type OldDay = OldTally & { readonly firstCheckedAt: Instant; readonly lastCheckedAt: Instant; readonly hours: readonly OldHour[] };

const tally = {
  counts: objectOf<StateCounts>({ operational: isNumber, degraded: isNumber, outage: isNumber, maintenance: isNumber, unknown: isNumber }),
  coveredMs: isNumber,
  latency: objectOf<LatencyHistogram>({ buckets: listOf(listOf(isNumber)), max: isNumber }),
  coveredUntil: isNumber,
} as const;
const isOldHour = objectOf<OldHour>({ ...tally, hour: isNumber });
const isOldDay = objectOf<OldDay>({ ...tally, firstCheckedAt: isNumber, lastCheckedAt: isNumber, hours: listOf(isOldHour) });

/** What the counts of earlier formats do not tell: the states at the end of the time, and how long they lasted. A change is not later than the last check. */
const NOT_TOLD = { outageMs: null, degradedMs: null, claims: [] } as const;

/** Brings the daily counts to plain columns. Days whose raw checks are stored are counted again. Frozen days keep what they know: how long an outage lasted is not among it. */
export function plainCounts(database: SqliteDatabase): void {
  database.exec('drop index status_day_open; alter table status_day rename to status_day_old;');
  database.exec(COUNT_TABLES);
  const store = new StatusStore(database, null);
  for (const [service] of database.rows('select distinct service from status_day_old')) migrateService(database, store, String(service));
  database.exec('drop table status_day_old; drop table status_day_counts; drop table status_past;');
}

function migrateService(database: SqliteDatabase, store: StatusStore, serviceKey: string): void {
  const [first, last] = database.row('select min(day), max(day) from status_day_old where service = ?', serviceKey) ?? [];
  let carry: Carry = NOTHING_CARRIED;
  for (let day = Number(first); day <= Number(last) || reaches(carry, day); day += DAY) {
    const old = database.row('select frozen from status_day_old where service = ? and day = ?', serviceKey, day);
    const isFrozen = old?.[0] === 1;
    const counted = isFrozen
      ? frozenDay(database, serviceKey, day)
      : countDay({ serviceKey, day }, store.checksBetween(serviceKey, day, day + DAY - 1), carry, null);
    if (counted !== null) store.putDay(counted, isFrozen);
    carry = counted ?? NOTHING_CARRIED;
  }
}

function frozenDay(database: SqliteDatabase, serviceKey: string, day: Instant): StatusDay | null {
  const [json, packed] = database.row('select json, hours from status_day_counts where service = ? and day = ?', serviceKey, day) ?? [];
  const old = storedJson(json, isOldDay);
  if (old === null) return null;
  const { counts, coveredMs, latency, coveredUntil, firstCheckedAt, lastCheckedAt } = old;
  const hours = packed instanceof Uint8Array ? unpackedHours(day, packed) : old.hours.map((hour) => plainHour(day, hour));
  const fields = { counts, coveredMs, latency, coveredUntil, ...NOT_TOLD, changedAt: lastCheckedAt, firstCheckedAt, lastCheckedAt };
  return { kind: 'status-day', serviceKey, day, ...fields, hours };
}

function plainHour(day: Instant, { hour, counts, coveredMs, latency, coveredUntil }: OldHour): StatusHour {
  return { hour: day + hour * HOUR, counts, coveredMs, latency, coveredUntil, ...NOT_TOLD, changedAt: null };
}

/**
 * The hours of a day in format 2 to 4, little-endian: after a first byte 1, each hour has its number in one byte, the number of its buckets in two, eight numbers of four
 * bytes (five counts, coveredMs, coveredUntil minus the start of the hour, longest response time), and the buckets as index (two bytes) and count (four bytes). What is
 * damaged is left out.
 */
function unpackedHours(day: Instant, bytes: Uint8Array): readonly StatusHour[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hours: StatusHour[] = [];
  for (let at = 1; bytes[0] === 1 && at + 35 <= bytes.byteLength;) {
    const [hour, length] = [view.getUint8(at), view.getUint16(at + 1, true)];
    const end = at + 35 + length * 6;
    if (hour > 23 || end > bytes.byteLength) break;
    const numberAt = (index: number): number => view.getUint32(at + 3 + index * 4, true);
    const buckets = Array.from({ length }, (_, index): [number, number] => {
      const start = at + 35 + index * 6;
      return [view.getUint16(start, true), view.getUint32(start + 2, true)];
    });
    const counts = { operational: numberAt(0), degraded: numberAt(1), outage: numberAt(2), maintenance: numberAt(3), unknown: numberAt(4) };
    const coveredUntil = day + hour * HOUR + numberAt(6);
    hours.push(plainHour(day, { hour, counts, coveredMs: numberAt(5), latency: { buckets, max: numberAt(7) }, coveredUntil }));
    at = end;
  }
  return hours;
}
