import {
  DAY,
  EARLIEST_INSTANT,
  MAX_RESPONSE_TIME_MS,
  MAX_VALIDITY_MS,
  PackedHours,
  quotable,
  SERVICE_STATES,
  type Check,
  type DayHours,
  type Instant,
  type NewestOfSource,
  type RawCheck,
  type ReadContext,
  type ServiceNeeds,
} from '@vitrine/core';
import { Binary, type Document } from 'mongodb';
import { BadValue, object } from '../documents/codec.js';
import { serviceKey } from '../documents/shared-fields.js';
import { instant, nullable, oneOf, whole } from '../documents/values.js';
import { decoded } from '../reading/decoding.js';
import type { FoundDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { checkIdRange, checkOf } from './check-document.js';
import { dayId, everyOne, hourTally } from './day-document.js';
import { readAll, type Part } from './read-all.js';

/** What is read at the edges of windows, for one service. */
export interface EdgeReads {
  readonly days: Map<Instant, DayHours>;
  /** In time order. */
  checks: readonly RawCheck[];
  /** The newest checks of the requested sources. */
  readonly newest: Check[];
}

const ofDay = { serviceKey, day: instant, coveredUntil: instant };
const packedDay = object(ofDay);
const unpackedDay = object({ ...ofDay, hours: everyOne(hourTally) });

/** Reads the hours of single days, and all raw checks, with one query. */
export async function readEdges(
  reading: MongoReading,
  needs: readonly ServiceNeeds[],
  context: ReadContext,
): Promise<(serviceKey: string) => EdgeReads> {
  const parts = [
    ...columnsPart(rangesOf(needs)),
    ...needs.flatMap((one) => one.newest.map((newest) => newestPart(one, newest))),
    ...hoursPart(needs),
  ];
  const found = await readAll(reading, parts, context);
  const reads = new Map<string, EdgeReads>();
  const of = (key: string): EdgeReads => {
    const own = reads.get(key) ?? { days: new Map<Instant, DayHours>(), checks: [], newest: [] };
    reads.set(key, own);
    return own;
  };
  const only = (isWanted: (row: Document) => boolean): FoundDocuments => ({ ...found, documents: found.documents.filter(isWanted) });
  for (const row of only(isColumns).documents) of(String(row['_id'])).checks = checksOfRow(row, reading);
  for (const { serviceKey: key, day, hours } of decoded('status-day', only(isDay), reading.monitor, hoursOf)) of(key).days.set(day, hours);
  const newest = only((row) => !isColumns(row) && !isDay(row));
  for (const check of decoded('check', newest, reading.monitor, checkOf)) of(check.serviceKey).newest.push(check);
  return of;
}

function isColumns(row: Document): boolean {
  return Array.isArray(row['checkedAt']);
}

function isDay(row: Document): boolean {
  return 'day' in row;
}

/** Services are asked for the same hours. So for several services, few ranges of times are read instead of many ranges of ids. */
function rangesOf(needs: readonly ServiceNeeds[]): Document[] {
  const [one, ...others] = needs;
  if (one !== undefined && others.length === 0) return one.checks.map(({ from, to }) => ({ _id: checkIdRange(one.serviceKey, from, to) }));
  const keys = { $in: needs.filter(({ checks }) => checks.length > 0).map((need) => need.serviceKey) };
  const times = new Map(needs.flatMap(({ checks }) => checks.map(({ from, to }) => [`${String(from)} ${String(to)}`, { from, to }])));
  return [...times.values()].map(({ from, to }) => ({ checkedAt: { $gte: new Date(from), $lte: new Date(to) }, serviceKey: keys }));
}

const COLUMNS = ['checkedAt', 'state', 'validForMs', 'responseTimeMs'] as const;

/** Returns the checks of a service in columns. That takes a tenth of the time of reading them one by one. */
function columnsPart(ranges: readonly Document[]): Part[] {
  if (ranges.length === 0) return [];
  const columns = COLUMNS.map((name) => [name, { $push: { $ifNull: [`$${name}`, null] } }] as const);
  return [{ coll: 'status_checks', pipeline: [{ $match: { $or: ranges } }, { $group: { _id: '$serviceKey', ...Object.fromEntries(columns) } }] }];
}

/** Of the day before, only the end of its coverage is needed. If that day is not stored, see `readBeforeGaps`. */
function hoursPart(needs: readonly ServiceNeeds[]): Part[] {
  const ids = needs.flatMap(({ serviceKey: key, hourDays }) => hourDays.flatMap((day) => [dayId(key, day - DAY), dayId(key, day)]));
  if (ids.length === 0) return [];
  const days = [...new Set(needs.flatMap(({ hourDays }) => hourDays))].map((day) => new Date(day));
  const isNeeded = { $in: ['$day', days] };
  const packedHours = { $cond: [isNeeded, '$packedHours', '$$REMOVE'] };
  const hours = { $cond: [{ $and: [isNeeded, { $eq: [{ $type: '$packedHours' }, 'missing'] }] }, '$hours', []] };
  const fields = { serviceKey: 1, day: 1, coveredUntil: 1, packedHours, hours };
  return [{ coll: 'status_days', pipeline: [{ $match: { _id: { $in: ids } } }, { $project: fields }] }];
}

interface DayRow {
  readonly serviceKey: string;
  readonly day: Instant;
  readonly hours: DayHours;
}

/** Another program may have written days without packed hours. */
function hoursOf(row: Document): DayRow | BadValue {
  const packed: unknown = row['packedHours'];
  if (packed === undefined) {
    const day = unpackedDay.decode(row, '');
    return day instanceof BadValue ? day : { serviceKey: day.serviceKey, day: day.day, hours: day };
  }
  const day = packedDay.decode(row, '');
  if (day instanceof BadValue) return day;
  const hours = packed instanceof Binary ? PackedHours.of(day.day, day.coveredUntil, packed.buffer) : null;
  return hours === null ? new BadValue('packedHours', 'wrong') : { ...day, hours };
}

function newestPart({ serviceKey: key, latest }: ServiceNeeds, { source, isKnown }: NewestOfSource): Part {
  const state = isKnown ? { state: { $ne: 'unknown' } } : {};
  const range = { _id: checkIdRange(key, EARLIEST_INSTANT, latest) };
  const pipeline = [{ $match: { ...range, 'provenance.source': source, ...state } }, { $sort: { _id: 1 } }, { $limit: 1 }];
  return { coll: 'status_checks', pipeline };
}

const codecs = {
  checkedAt: instant,
  state: oneOf(SERVICE_STATES),
  validForMs: whole(0, MAX_VALIDITY_MS),
  responseTimeMs: nullable(whole(0, MAX_RESPONSE_TIME_MS)),
};

function checksOfRow(row: Document, reading: MongoReading): RawCheck[] {
  const [times = [], ...others] = COLUMNS.map((name) => row[name] as readonly unknown[]);
  const checks = times.flatMap((time, index) => {
    const check = rawCheckOf([time, ...others.map((column) => column[index])]);
    if (check === null) reading.monitor.quarantined('check', quotable(String(row['_id'])), 'checkedAt, state or validForMs: wrong');
    return check ?? [];
  });
  return checks.sort((a, b) => a.checkedAt - b.checkedAt);
}

function rawCheckOf([time, word, validity, responseTime]: readonly unknown[]): RawCheck | null {
  const checkedAt = codecs.checkedAt.decode(time, '');
  const state = codecs.state.decode(word, '');
  const validForMs = codecs.validForMs.decode(validity, '');
  const responseTimeMs = codecs.responseTimeMs.decode(responseTime, '');
  if (checkedAt instanceof BadValue || state instanceof BadValue || validForMs instanceof BadValue) return null;
  return { checkedAt, state, validForMs, responseTimeMs: responseTimeMs instanceof BadValue ? null : responseTimeMs };
}
