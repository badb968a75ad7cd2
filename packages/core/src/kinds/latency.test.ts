import fc from 'fast-check';
import { MAX_RESPONSE_TIME_MS } from './check.js';
import { LatencyBuilder, type LatencyHistogram, type LatencySummary, latencySummary, mergeHistograms } from './latency.js';

const times = fc.array(fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 30_000 }), fc.nat({ max: MAX_RESPONSE_TIME_MS })), {
  minLength: 1,
  maxLength: 400,
});

function of(list: readonly number[]): LatencyBuilder {
  const builder = new LatencyBuilder();
  for (const time of list) builder.add(time);
  return builder;
}

function summaryOf(list: readonly number[]): LatencySummary | null {
  return latencySummary(of(list).histogram());
}

/** The percentile of the exact times by nearest rank, in whole numbers. */
function exact(list: readonly number[], percent: number): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor((percent * sorted.length + 99) / 100) - 1] ?? 0;
}

describe('LatencyBuilder', () => {
  it('has no summary when nothing was added', () => {
    expect(summaryOf([])).toBeNull();
    expect(new LatencyBuilder().histogram()).toEqual({ buckets: [], max: 0 });
  });

  it('is never below the exact figure, and at most 5 % above it', () => {
    fc.assert(
      fc.property(times, (list) => {
        const summary = summaryOf(list);
        for (const [percent, figure] of [
          [50, summary?.p50 ?? -1],
          [95, summary?.p95 ?? -1],
        ] as const) {
          const wanted = exact(list, percent);
          expect(figure).toBeGreaterThanOrEqual(wanted);
          expect(figure).toBeLessThanOrEqual(Math.max(wanted, Math.floor(wanted * 1.05)));
        }
        expect(summary?.max).toBe(Math.max(...list));
        expect(summary?.p50).toBeLessThanOrEqual(summary?.p95 ?? -1);
      }),
    );
  });

  it('is exact up to 20 ms and for a single time', () => {
    expect(summaryOf([0])).toEqual({ p50: 0, p95: 0, max: 0 });
    expect(summaryOf(Array.from({ length: 20 }, (_, index) => index + 1))).toEqual({ p50: 10, p95: 19, max: 20 });
    expect(summaryOf([12_345])).toEqual({ p50: 12_345, p95: 12_345, max: 12_345 });
    expect(summaryOf([MAX_RESPONSE_TIME_MS])).toEqual({ p50: MAX_RESPONSE_TIME_MS, p95: MAX_RESPONSE_TIME_MS, max: MAX_RESPONSE_TIME_MS });
  });

  it('merges histograms into what all times together give, in any order', () => {
    fc.assert(
      fc.property(times, times, (left, right) => {
        const merged = mergeHistograms([of(right).histogram(), of(left).histogram()]);
        expect(merged).toEqual(of([...left, ...right]).histogram());
        expect(latencySummary(merged)).toEqual(summaryOf([...left, ...right]));
      }),
    );
  });

  it('lists its buckets in ascending order, without empty ones', () => {
    fc.assert(
      fc.property(times, (list) => {
        const { buckets }: LatencyHistogram = of(list).histogram();
        expect(buckets.every(([bucket, count], index) => count > 0 && bucket > (buckets[index - 1]?.[0] ?? -1))).toBe(true);
        expect(buckets.reduce((sum, [, count]) => sum + count, 0)).toBe(list.length);
      }),
    );
  });
});
