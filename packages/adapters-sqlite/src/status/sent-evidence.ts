import { NO_CHECKS, SERVICE_STATES, type DaySlice, type LatencyHistogram, type ServiceEvidence, type Tally } from '@vitrine/core';

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
  for (const state of SERVICE_STATES) numbers.push(counts[state]);
  numbers.push(coveredMs, max, buckets.length);
  for (const [bucket, count] of buckets) numbers.push(bucket, count);
}

class TallyReader {
  readonly #numbers: Float64Array;
  #at = 0;

  constructor(numbers: Float64Array) {
    this.#numbers = numbers;
  }

  next(): Tally {
    const counts = { ...NO_CHECKS };
    for (const state of SERVICE_STATES) counts[state] = this.number();
    const coveredMs = this.number();
    return { counts, coveredMs, latency: this.#histogram() };
  }

  #histogram(): LatencyHistogram {
    const max = this.number();
    const length = this.number();
    const buckets: [number, number][] = [];
    for (let index = 0; index < length; index++) buckets.push([this.number(), this.number()]);
    return { buckets, max };
  }

  number(): number {
    return this.#numbers[this.#at++] ?? 0;
  }
}
