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

/** The bytes of a packed bucket: its index in two bytes, and its count in four, little-endian. */
export const BYTES_PER_BUCKET = 6;

/** Packs buckets into six bytes each. Counts must be below 2^32. */
export function packBuckets(buckets: LatencyHistogram['buckets']): Uint8Array {
  const bytes = new Uint8Array(buckets.length * BYTES_PER_BUCKET);
  const view = new DataView(bytes.buffer);
  for (const [index, [bucket, count]] of buckets.entries()) {
    view.setUint16(index * BYTES_PER_BUCKET, bucket, true);
    view.setUint32(index * BYTES_PER_BUCKET + 2, count, true);
  }
  return bytes;
}

/** Adds up histograms, in any order. */
export class LatencySum {
  /** No typed array: a response needs thousands of these, and a typed array of this size is allocated outside the heap, which takes longer. */
  readonly #counts: number[] = new Array<number>(BOUNDS.length).fill(0);
  /** Only buckets between these two have counts. A service has response times in few of them. */
  #lowest = BOUNDS.length;
  #highest = -1;
  #max = 0;

  /** Adds the checks of one bucket. A bucket beyond the last one counts as the last. */
  addBucket(bucket: number, count: number): void {
    const index = bucket < BOUNDS.length ? bucket : BOUNDS.length - 1;
    this.#counts[index] = (this.#counts[index] ?? 0) + count;
    if (index < this.#lowest) this.#lowest = index;
    if (index > this.#highest) this.#highest = index;
  }

  add({ buckets, max }: LatencyHistogram): void {
    for (const [bucket, count] of buckets) this.addBucket(bucket, count);
    this.addMax(max);
  }

  /**
   * Adds buckets that `packBuckets` has packed.
   *
   * @param from the index of their first byte
   * @param to the index after their last byte
   */
  addPacked(view: DataView, from: number, to: number): void {
    for (let at = from; at < to; at += BYTES_PER_BUCKET) this.addBucket(view.getUint16(at, true), view.getUint32(at + 2, true));
  }

  /** @param milliseconds the exact maximum of the added checks */
  addMax(milliseconds: number): void {
    this.#max = Math.max(this.#max, milliseconds);
  }

  histogram(): LatencyHistogram {
    const buckets: [number, number][] = [];
    // An index is several times as fast as an iterator here, and every response needs hundreds of histograms.
    for (let bucket = this.#lowest; bucket <= this.#highest; bucket++) {
      const count = this.#counts[bucket] ?? 0;
      if (count > 0) buckets.push([bucket, count]);
    }
    return { buckets, max: this.#max };
  }
}

/** Merges histograms, in any order. */
export function mergeHistograms(histograms: Iterable<LatencyHistogram>): LatencyHistogram {
  const full = [...histograms].filter(({ buckets, max }) => buckets.length > 0 || max > 0);
  const [only] = full;
  if (only !== undefined && full.length === 1) return only;
  const sum = new LatencySum();
  for (const histogram of full) sum.add(histogram);
  return sum.histogram();
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
