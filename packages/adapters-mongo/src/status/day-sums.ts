import { DAY, mergeHistograms, mergeTallies, SERVICE_STATES, type Instant, type Tally, type Window } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { instant, whole } from '../documents/values.js';
import { coverageAlone } from './counted-hours.js';
import { dayTotalsSchema, everyOne } from './day-document.js';
import { latencyBuckets, stateCounts } from './tally-fields.js';

/** Splits time at all ends of the given windows, and adds the day before the first window, whose coverage may reach into it. */
export function segmentsOf(wanted: readonly Window[]): readonly Window[] {
  const ends = [...new Set(wanted.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const starts = [...ends.slice(0, 1).map((first) => first - DAY), ...ends.slice(0, -1)];
  return starts.map((from, index) => ({ from, to: ends[index] ?? from }));
}

/** A pipeline that adds up whole days on the server, by service and segment. Invalid documents are left out. */
export function sumPipeline(serviceKeys: readonly string[], segments: readonly Window[]): Document[] {
  const [first, last] = [segments[0]?.from ?? 0, segments.at(-1)?.to ?? 0];
  const branches = segments.map(({ to }, index) => ({ case: { $lt: ['$day', new Date(to)] }, then: index }));
  return [
    { $match: rangeOf(serviceKeys, first, last) },
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
  const range = rangeOf(serviceKeys, segments[0]?.from ?? 0, segments.at(-1)?.to ?? 0);
  return [{ $match: range }, { $match: { $nor: [{ $jsonSchema: dayTotalsSchema }] } }, { $project: { _id: 1, isUnusable: { $literal: true } } }];
}

function rangeOf(serviceKeys: readonly string[], from: Instant, to: Instant): Document {
  return { serviceKey: { $in: [...serviceKeys] }, day: { $gte: new Date(from), $lt: new Date(to) } };
}

/** The sum of the days of one service between two times. */
export interface DaySum {
  readonly serviceKey: string;
  readonly segment: number;
  readonly tally: Tally;
  /** For each day in the sum, the end of its coverage. */
  readonly coveredUntil: ReadonlyMap<Instant, Instant>;
}

const instants = everyOne(instant);

/** `null` if the server's response has an unexpected shape. */
export function daySumOf(row: Document): DaySum | null {
  const id = row['_id'] as { readonly serviceKey?: unknown; readonly segment?: unknown } | null;
  const counts = stateCounts.decode(Object.fromEntries(SERVICE_STATES.map((state) => [state, row[state] as unknown])), '');
  const coveredMs = whole(0).decode(row['coveredMs'], '');
  const days = instants.decode(row['days'], '');
  const until = instants.decode(row['coveredUntil'], '');
  if (typeof id?.serviceKey !== 'string' || typeof id.segment !== 'number') return null;
  if (counts instanceof BadValue || coveredMs instanceof BadValue || days instanceof BadValue || until instanceof BadValue) return null;
  return {
    serviceKey: id.serviceKey,
    segment: id.segment,
    tally: { counts, coveredMs, latency: latencyOf(row) },
    coveredUntil: new Map(days.map((day, index) => [day, until[index] ?? day])),
  };
}

function latencyOf({ latencies, latencyMax }: Document): Tally['latency'] {
  const stored: readonly unknown[] = Array.isArray(latencies) ? latencies : [];
  const histograms = stored.flatMap((one) => {
    const buckets = latencyBuckets.decode(one, '');
    return buckets instanceof BadValue ? [] : [{ buckets, max: typeof latencyMax === 'number' ? latencyMax : 0 }];
  });
  return mergeHistograms(histograms);
}

/** The sums of one service. */
export class ServiceSums {
  readonly #segments: readonly Window[];
  readonly #tallies = new Map<Instant, Tally>();
  readonly #coveredUntil = new Map<Instant, Instant>();

  constructor(segments: readonly Window[]) {
    this.#segments = segments;
  }

  add({ segment, tally, coveredUntil }: DaySum): void {
    const { from } = this.#segments[segment] ?? { from: NaN };
    this.#tallies.set(from, tally);
    for (const [day, until] of coveredUntil) this.#coveredUntil.set(day, until);
  }

  /** A day without checks may still be covered by the day before. */
  tallyOf(days: Window): Tally {
    const inside = this.#segments.filter(({ from, to }) => from >= days.from && to <= days.to);
    const tallies = inside.flatMap(({ from }) => this.#tallies.get(from) ?? []);
    for (let day = days.from; day < days.to; day += DAY) {
      const until = this.#coveredUntil.get(day - DAY);
      if (until !== undefined && !this.#coveredUntil.has(day)) tallies.push(coverageAlone({ from: day, to: day + DAY }, until));
    }
    return mergeTallies(tallies);
  }
}
