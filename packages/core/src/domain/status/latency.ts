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

/** Response times of a window, in whole milliseconds. */
export interface LatencySummary {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** The index of the first bucket whose bound is not below the time. */
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

/** Collects response times and histograms; order does not matter. */
export class LatencyBuilder {
  readonly #counts = new Uint32Array(BOUNDS.length);
  #total = 0;
  #max = 0;

  add(milliseconds: number): void {
    this.#count(bucketOf(milliseconds), 1);
    this.#max = Math.max(this.#max, milliseconds);
  }

  merge(histogram: LatencyHistogram): void {
    for (const [bucket, count] of histogram.buckets) this.#count(bucket, count);
    this.#max = Math.max(this.#max, histogram.max);
  }

  histogram(): LatencyHistogram {
    const buckets: [number, number][] = [];
    for (let bucket = 0; bucket < this.#counts.length && this.#total > 0; bucket++) {
      const count = this.#counts[bucket] ?? 0;
      if (count > 0) buckets.push([bucket, count]);
    }
    return { buckets, max: this.#max };
  }

  /** Nearest rank over the buckets, capped by the exact maximum; `null` when nothing was added. */
  summary(): LatencySummary | null {
    return this.#total === 0 ? null : { p50: this.#quantile(0.5), p95: this.#quantile(0.95), max: this.#max };
  }

  #count(bucket: number, count: number): void {
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
    this.#total += count;
  }

  #quantile(share: number): number {
    let left = Math.ceil(share * this.#total);
    for (const [bucket, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0) return Math.min(BOUNDS[bucket] ?? this.#max, this.#max);
    }
    return this.#max;
  }
}
