import { NO_LATENCY, type DaySlice, type LatencyHistogram, type ServiceEvidence, type Tally } from '@vitrine/core';

type Evidence = ReadonlyMap<string, ServiceEvidence>;

/** The evidence of services as a message. A structured clone of thousands of small lists takes several times as long as one of a typed array. */
export interface SentEvidence {
  readonly services: readonly SentService[];
  /** All tallies, in order: five counts, coveredMs, longest response time, number of buckets, and the buckets as pairs. */
  readonly tallies: Float64Array;
}

interface SentService extends Omit<ServiceEvidence, 'tallies'> {
  readonly serviceKey: string;
  readonly tallies: number;
}

export function sentEvidence(evidence: Evidence): SentEvidence {
  const numbers: number[] = [];
  // Spreads of objects would take several times as long.
  const services = [...evidence].map(([serviceKey, { trackedFrom, lastCheckedAt, newest, newestKnown, tallies }]): SentService => {
    for (const tally of tallies) append(numbers, tally);
    return { serviceKey, trackedFrom, lastCheckedAt, newest, newestKnown, tallies: tallies.length };
  });
  return { services, tallies: Float64Array.from(numbers) };
}

export function receivedEvidence({ services, tallies: numbers }: SentEvidence): Evidence {
  const reader = new TallyReader(numbers);
  return new Map(
    services.map(({ serviceKey, trackedFrom, lastCheckedAt, newest, newestKnown, tallies: length }) => {
      const tallies = Array.from({ length }, () => reader.next());
      return [serviceKey, { trackedFrom, lastCheckedAt, newest, newestKnown, tallies }];
    }),
  );
}

type Days = ReadonlyMap<string, readonly DaySlice[]>;

/** The days of services as a message, for the same reason. */
export interface SentDays {
  readonly services: readonly { readonly serviceKey: string; readonly days: number }[];
  /** All days, in order: the start of the day, and its tally as in {@link SentEvidence}. */
  readonly days: Float64Array;
}

export function sentDays(days: Days): SentDays {
  const numbers: number[] = [];
  for (const { day, tally } of [...days.values()].flat()) {
    numbers.push(day);
    append(numbers, tally);
  }
  return { services: [...days].map(([serviceKey, slices]) => ({ serviceKey, days: slices.length })), days: Float64Array.from(numbers) };
}

export function receivedDays({ services, days: numbers }: SentDays): Days {
  const reader = new TallyReader(numbers);
  const slice = (): DaySlice => ({ day: reader.number(), tally: reader.next() });
  return new Map(services.map(({ serviceKey, days: length }) => [serviceKey, Array.from({ length }, slice)]));
}

function append(numbers: number[], { counts, coveredMs, latency: { buckets, max } }: Tally): void {
  // With the names of the states in a loop, this and the reader below take several times as long.
  numbers.push(counts.operational, counts.degraded, counts.outage, counts.maintenance, counts.unknown, coveredMs, max, buckets.length);
  for (const [bucket, count] of buckets) numbers.push(bucket, count);
}

class TallyReader {
  readonly #numbers: Float64Array;
  #at = 0;

  constructor(numbers: Float64Array) {
    this.#numbers = numbers;
  }

  next(): Tally {
    const [operational, degraded, outage] = [this.number(), this.number(), this.number()];
    const counts = { operational, degraded, outage, maintenance: this.number(), unknown: this.number() };
    return { counts, coveredMs: this.number(), latency: this.#histogram() };
  }

  #histogram(): LatencyHistogram {
    const max = this.number();
    const length = this.number();
    if (length === 0 && max === 0) return NO_LATENCY;
    const buckets: [number, number][] = [];
    for (let index = 0; index < length; index++) buckets.push([this.number(), this.number()]);
    return { buckets, max };
  }

  number(): number {
    return this.#numbers[this.#at++] ?? 0;
  }
}
