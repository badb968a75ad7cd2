import { LatencySum, SERVICE_STATES, type DaySum, type Instant, type LatencyHistogram, type Window } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { instant, whole } from '../documents/values.js';
import { dayTotalsSchema, everyOne } from './day-document.js';
import { addBuckets, stateCounts } from './tally-fields.js';

/** A pipeline that adds up whole days on the server, by service and segment. Invalid documents are left out. */
export function sumPipeline(serviceKeys: readonly string[], segments: readonly Window[]): Document[] {
  const branches = segments.map(({ to }, index) => ({ case: { $lt: ['$day', new Date(to)] }, then: index }));
  return [
    { $match: rangeOf(serviceKeys, segments) },
    { $match: { $jsonSchema: dayTotalsSchema } },
    {
      $group: {
        _id: { serviceKey: '$serviceKey', segment: { $switch: { branches, default: null } } },
        ...Object.fromEntries(SERVICE_STATES.map((state) => [state, { $sum: `$counts.${state}` }])),
        coveredMs: { $sum: '$coveredMs' },
        latencies: { $push: '$latency.buckets' },
        latencyMax: { $max: '$latency.max' },
        days: { $push: '$day' },
        coveredUntil: { $push: '$coveredUntil' },
      },
    },
  ];
}

/** A pipeline for the ids of the documents that were left out. */
export function unusablePipeline(serviceKeys: readonly string[], segments: readonly Window[]): Document[] {
  const isUnusable = { $nor: [{ $jsonSchema: dayTotalsSchema }] };
  return [{ $match: rangeOf(serviceKeys, segments) }, { $match: isUnusable }, { $project: { _id: 1, isUnusable: { $literal: true } } }];
}

function rangeOf(serviceKeys: readonly string[], segments: readonly Window[]): Document {
  const [from, to] = [segments[0]?.from ?? 0, segments.at(-1)?.to ?? 0];
  return { serviceKey: { $in: [...serviceKeys] }, day: { $gte: new Date(from), $lt: new Date(to) } };
}

const instants = everyOne(instant);

/** The sum in a row of the server's response; `null` if the row has an unexpected shape. */
export function daySumOf(row: Document): (DaySum & { readonly serviceKey: string }) | null {
  const id = row['_id'] as { readonly serviceKey?: unknown; readonly segment?: unknown } | null;
  const counts = stateCounts.decode(Object.fromEntries(SERVICE_STATES.map((state) => [state, row[state] as unknown])), '');
  const coveredMs = whole(0).decode(row['coveredMs'], '');
  const days = instants.decode(row['days'], '');
  const until = instants.decode(row['coveredUntil'], '');
  if (typeof id?.serviceKey !== 'string' || typeof id.segment !== 'number') return null;
  if (counts instanceof BadValue || coveredMs instanceof BadValue || days instanceof BadValue || until instanceof BadValue) return null;
  const coveredUntil = new Map(days.map((day, index): [Instant, Instant] => [day, until[index] ?? day]));
  return { serviceKey: id.serviceKey, segment: id.segment, tally: { counts, coveredMs, latency: latencyOf(row) }, coveredUntil };
}

function latencyOf({ latencies, latencyMax }: Document): LatencyHistogram {
  const sum = new LatencySum();
  const stored: readonly unknown[] = Array.isArray(latencies) ? latencies : [];
  if (stored.filter((one) => addBuckets(sum, one)).length > 0 && typeof latencyMax === 'number') sum.addMax(latencyMax);
  return sum.histogram();
}
