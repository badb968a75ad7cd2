import {
  HOUR,
  mergeTallies,
  NO_LATENCY,
  quotable,
  startOfDay,
  storedParts,
  type Instant,
  type Tally,
  type TallyWindow,
  type Window,
} from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import type { QuarantineMonitor } from '../reading/quarantine.js';
import { latency, stateCounts } from './tally-fields.js';

const SUMMED = ['operational', 'degraded', 'outage', 'maintenance', 'unknown'] as const;

/** A time that is read once, though it may be part of several ranges. */
interface Part extends TallyWindow {
  readonly kind: 'days' | 'hours';
}

/** The days and hours of all ranges, each once. */
function partsOf(ranges: readonly TallyWindow[]): readonly Part[] {
  const ends = [...new Set(ranges.flatMap((range) => [storedParts(range).days.from, range.to]))].sort((a, b) => a - b);
  const isIn =
    ({ from, to }: Window) =>
    (range: TallyWindow) =>
      storedParts(range).days.from <= from && range.to >= to;
  const days = ends.slice(1).flatMap((to, index): Part[] => {
    const part = { from: ends[index] ?? to, to };
    const inside = ranges.filter(isIn(part));
    return inside.length === 0 ? [] : [{ kind: 'days', ...part, withoutLatency: inside.every(({ withoutLatency }) => withoutLatency === true) }];
  });
  const hours = new Map<Instant, Part>();
  for (const range of ranges) {
    const { from, to } = storedParts(range).hours;
    const isNeeded = range.withoutLatency !== true || hours.get(from)?.withoutLatency === false;
    if (from < to) hours.set(from, { kind: 'hours', from, to, withoutLatency: !isNeeded });
  }
  return [...days, ...hours.values()];
}

function contains(range: TallyWindow, part: Part): boolean {
  const { days, hours } = storedParts(range);
  return part.kind === 'days' ? part.from >= days.from && part.to <= days.to : part.from === hours.from && part.to === hours.to;
}

/** Adds up days, from the index alone if no response times are needed, and the hours of days that are cut. */
export function sumsPipeline(serviceKeys: readonly string[] | null, ranges: readonly TallyWindow[]): Document[] {
  const keys = serviceKeys === null ? { $gt: '' } : { $in: [...serviceKeys] };
  const stages = partsOf(ranges).map((part, index) => [
    ...(part.kind === 'days' ? daysIn(keys, part) : hoursIn(keys, part)),
    { $group: groupOf(part) },
    { $set: { part: index } },
  ]);
  const [first = [], ...others] = stages;
  return [...first, ...others.map((pipeline) => ({ $unionWith: { coll: 'status_days', pipeline } }))];
}

function daysIn(keys: Document, { from, to }: Part): Document[] {
  return [{ $match: { serviceKey: keys, day: { $gte: new Date(from), $lt: new Date(to) } } }];
}

/** Earlier versions stored the hours in the document of the day, by their number. */
function hoursIn(keys: Document, { from, to }: Part): Document[] {
  const start = { $cond: [{ $isNumber: '$hours.hour' }, { $add: ['$day', { $multiply: ['$hours.hour', HOUR] }] }, '$hours.hour'] };
  return [
    { $match: { serviceKey: keys, day: new Date(startOfDay(from)) } },
    { $project: { serviceKey: 1, day: 1, hours: 1 } },
    { $lookup: { from: 'status_hours', localField: '_id', foreignField: '_id', as: 'own' } },
    { $set: { hours: { $ifNull: [{ $first: '$own.hours' }, '$hours'] } } },
    { $unwind: '$hours' },
    { $replaceWith: { $mergeObjects: ['$hours', { serviceKey: '$serviceKey', start }] } },
    { $match: { start: { $gte: new Date(from), $lt: new Date(to) } } },
  ];
}

function groupOf({ withoutLatency = false }: Part): Document {
  const known = (field: string): Document => ({ $sum: { $cond: [{ $isNumber: field }, 1, 0] } });
  return {
    _id: '$serviceKey',
    ...Object.fromEntries(SUMMED.map((state) => [state, { $sum: `$counts.${state}` }])),
    coveredMs: { $sum: '$coveredMs' },
    outageMs: { $sum: '$outageMs' },
    degradedMs: { $sum: '$degradedMs' },
    changedAt: { $max: '$changedAt' },
    rows: { $sum: 1 },
    outagesKnown: known('$outageMs'),
    degradedKnown: known('$degradedMs'),
    ...(!withoutLatency && { latencies: { $push: '$latency' } }),
  };
}

/** The sums of the ranges, from the documents of {@link sumsPipeline}. Response times that cannot be decoded are left out, and reported. */
export function addedUp(
  documents: readonly Document[],
  ranges: readonly TallyWindow[],
  monitor: QuarantineMonitor,
): ReadonlyMap<string, readonly Tally[]> {
  const parts = partsOf(ranges);
  const found = new Map<string, Map<number, Tally>>();
  for (const document of documents) {
    const key = String(document['_id']);
    const own = found.get(key) ?? new Map<number, Tally>();
    found.set(key, own);
    const part: unknown = document['part'];
    if (typeof part === 'number') own.set(part, tallyOf(document, key, monitor));
  }
  const sumOf = (own: ReadonlyMap<number, Tally>, range: TallyWindow): Tally =>
    mergeTallies(
      parts.flatMap((part, index) => (contains(range, part) ? (own.get(index) ?? []) : [])),
      range,
    );
  return new Map([...found].map(([key, own]) => [key, ranges.map((range) => sumOf(own, range))]));
}

function tallyOf(document: Document, key: string, monitor: QuarantineMonitor): Tally {
  const {
    coveredMs,
    outageMs,
    degradedMs,
    changedAt,
    rows,
    outagesKnown,
    degradedKnown,
    latencies = [],
  } = document as Readonly<Record<string, unknown>>;
  const counts = stateCounts.decode(Object.fromEntries(SUMMED.map((state) => [state, document[state] as unknown])), '');
  if (counts instanceof BadValue) monitor.quarantined('status-day', quotable(key), counts.toString());
  const histograms = (latencies as readonly unknown[]).map((stored) => {
    const histogram = latency.decode(stored, 'latency');
    if (histogram instanceof BadValue) monitor.quarantined('status-day', quotable(key), histogram.toString());
    return histogram instanceof BadValue ? NO_LATENCY : histogram;
  });
  const base: Tally = {
    counts: counts instanceof BadValue ? { operational: 0, degraded: 0, outage: 0, maintenance: 0, unknown: 0 } : counts,
    coveredMs: Number(coveredMs),
    outageMs: rows === outagesKnown ? Number(outageMs) : null,
    degradedMs: rows === degradedKnown ? Number(degradedMs) : null,
    changedAt: changedAt instanceof Date ? changedAt.getTime() : null,
    latency: NO_LATENCY,
  };
  return mergeTallies([base, ...histograms.map((histogram) => ({ ...EMPTY, latency: histogram }))]);
}

const EMPTY: Tally = mergeTallies([]);
