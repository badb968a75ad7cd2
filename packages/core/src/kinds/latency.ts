import { MAX_RESPONSE_TIME_MS } from './check.js';

/** Upper bounds of the response time buckets, in milliseconds: exact up to 20, then each 5 % above the one before. */
const BOUNDS: readonly number[] = bounds();

function bounds(): number[] {
  const list = [0];
  for (let bound = 1; list.at(-1) !== MAX_RESPONSE_TIME_MS; bound = Math.max(bound + 1, Math.floor(bound * 1.05)))
    list.push(Math.min(bound, MAX_RESPONSE_TIME_MS));
  return list;
}

/** A mergeable histogram: pairs of bucket index and count in ascending order, and the exact maximum. */
export interface LatencyHistogram {
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
  readonly max: number;
}

export const NO_LATENCY: LatencyHistogram = { buckets: [], max: 0 };

/** Response times of a window, in whole milliseconds. */
export interface LatencySummary {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

function bucketOf(milliseconds: number): number {
  let low = 0;
  let high = BOUNDS.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((BOUNDS[middle] ?? 0) < milliseconds) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Collects response times, in any order. */
export class LatencyBuilder {
  readonly #counts = new Map<number, number>();
  #max = 0;

  add(milliseconds: number): void {
    const bucket = bucketOf(milliseconds);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.#max = Math.max(this.#max, milliseconds);
  }

  histogram(): LatencyHistogram {
    return { buckets: [...this.#counts].sort(([a], [b]) => a - b), max: this.#max };
  }
}

/** Merges histograms, in any order. A bucket beyond the last one counts as the last. */
export function mergeHistograms(histograms: Iterable<LatencyHistogram>): LatencyHistogram {
  const full = [...histograms].filter(({ buckets, max }) => buckets.length > 0 || max > 0);
  const [only] = full;
  if (only !== undefined && full.length === 1) return only;
  // A sum of months has a hundred thousand buckets. A `Map` takes several times as long.
  const counts = new Array<number>(BOUNDS.length).fill(0);
  const last = BOUNDS.length - 1;
  let max = 0;
  for (const histogram of full) {
    max = Math.max(max, histogram.max);
    for (const [bucket, count] of histogram.buckets) {
      const index = Math.min(bucket, last);
      counts[index] = (counts[index] ?? 0) + count;
    }
  }
  const buckets: [number, number][] = [];
  counts.forEach((count, bucket) => {
    if (count > 0) buckets.push([bucket, count]);
  });
  return { buckets, max };
}

/** Percentiles by nearest rank over the buckets, at most the exact maximum; `null` if there are no response times. */
export function latencySummary(histogram: LatencyHistogram): LatencySummary | null {
  // A page needs thousands of summaries, and most have no response times.
  if (histogram.buckets.length === 0) return null;
  const total = histogram.buckets.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  return { p50: quantile(histogram, Math.ceil(0.5 * total)), p95: quantile(histogram, Math.ceil(0.95 * total)), max: histogram.max };
}

function quantile({ buckets, max }: LatencyHistogram, rank: number): number {
  let left = rank;
  for (const [bucket, count] of buckets) {
    left -= count;
    if (left <= 0) return Math.min(BOUNDS[bucket] ?? max, max);
  }
  return max;
}
