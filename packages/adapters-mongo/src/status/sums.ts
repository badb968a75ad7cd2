import { grouped, HOUR, mergeHistograms, NO_CHECKS, NO_LATENCY, quotable, rangeParts, SERVICE_STATES, startOfDay, sumsOfParts } from '@vitrine/core';
import type { QuarantineMonitor, RangePart, Tally, TallyWindow } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { latency, stateCounts } from './status-documents.js';

/** Adds up days, and the hours of days that are cut. One pipeline reads what needs response times, and one, at the same time, the rest from the index alone. */
export function sumsPipelines(serviceKeys: readonly string[] | null, ranges: readonly TallyWindow[]): Document[][] {
  const keys = serviceKeys === null ? { $gt: '' } : { $in: [...serviceKeys] };
  const parts = rangeParts(ranges).map((part, index) => ({ part, index }));
  return [true, false].flatMap((isWithout) => {
    const stages = parts
      .filter(({ part: { withoutLatency = false } }) => withoutLatency === isWithout)
      .map(({ part, index }) => [
        ...(part.kind === 'days' ? [{ $match: { serviceKey: keys, day: within(part) } }] : hoursIn(keys, part)),
        { $group: groupOf(part) },
        { $set: { part: index } },
      ]);
    const [first, ...others] = stages;
    return first === undefined ? [] : [[...first, ...others.map((pipeline) => ({ $unionWith: { coll: 'status_days', pipeline } }))]];
  });
}

/** Earlier versions stored the hours in the document of the day, by their number. */
function hoursIn(keys: Document, part: RangePart): Document[] {
  const start = { $cond: [{ $isNumber: '$hours.hour' }, { $add: ['$day', { $multiply: ['$hours.hour', HOUR] }] }, '$hours.hour'] };
  return [
    { $match: { serviceKey: keys, day: new Date(startOfDay(part.from)) } },
    { $project: { serviceKey: 1, day: 1, hours: 1 } },
    { $lookup: { from: 'status_hours', localField: '_id', foreignField: '_id', as: 'own' } },
    { $set: { hours: { $ifNull: [{ $first: '$own.hours' }, '$hours'] } } },
    { $unwind: '$hours' },
    { $replaceWith: { $mergeObjects: ['$hours', { serviceKey: '$serviceKey', start }] } },
    { $match: { start: within(part) } },
  ];
}

function within({ from, to }: RangePart): Document {
  return { $gte: new Date(from), $lt: new Date(to) };
}

function groupOf({ withoutLatency = false }: RangePart): Document {
  // Whether all are known. A sum of conditions takes longer.
  const known = (field: string): Document => ({ $min: { $isNumber: field } });
  return {
    _id: '$serviceKey',
    ...Object.fromEntries(SERVICE_STATES.map((state) => [state, { $sum: `$counts.${state}` }])),
    coveredMs: { $sum: '$coveredMs' },
    outageMs: { $sum: '$outageMs' },
    degradedMs: { $sum: '$degradedMs' },
    changedAt: { $max: '$changedAt' },
    outageKnown: known('$outageMs'),
    degradedKnown: known('$degradedMs'),
    ...(!withoutLatency && { latencies: { $push: '$latency' } }),
  };
}

/** The sums of the ranges, from the documents of {@link sumsPipelines}. Response times that cannot be decoded are left out, and reported. */
export function addedUp(
  documents: readonly Document[],
  ranges: readonly TallyWindow[],
  monitor: QuarantineMonitor,
): ReadonlyMap<string, readonly Tally[]> {
  const parts = rangeParts(ranges);
  const sumsOf = (key: string, own: readonly Document[]): readonly Tally[] => {
    const tallies = new Map(own.map((document) => [document['part'] as unknown, tallyOf(document, key, monitor)]));
    const ofParts = parts.map((_, index) => tallies.get(index));
    return sumsOfParts(ranges, parts, ofParts);
  };
  return new Map([...grouped(documents, ({ _id }) => String(_id))].map(([key, own]) => [key, sumsOf(key, own)]));
}

function tallyOf(document: Document, key: string, monitor: QuarantineMonitor): Tally {
  const { coveredMs, outageMs, degradedMs, changedAt, outageKnown, degradedKnown, latencies = [] } = document as Readonly<Record<string, unknown>>;
  const valid = <Value>(decoded: Value | BadValue, otherwise: Value): Value => {
    if (!(decoded instanceof BadValue)) return decoded;
    monitor.quarantined('status-day', quotable(key), decoded.toString());
    return otherwise;
  };
  return {
    counts: valid(stateCounts.decode(Object.fromEntries(SERVICE_STATES.map((state) => [state, document[state] as unknown])), ''), NO_CHECKS),
    coveredMs: Number(coveredMs),
    outageMs: outageKnown === true ? Number(outageMs) : null,
    degradedMs: degradedKnown === true ? Number(degradedMs) : null,
    changedAt: changedAt instanceof Date ? changedAt.getTime() : null,
    latency: mergeHistograms((latencies as readonly unknown[]).map((stored) => valid(latency.decode(stored, 'latency'), NO_LATENCY))),
  };
}
