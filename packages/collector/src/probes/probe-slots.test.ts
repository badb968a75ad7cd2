import { HOUR, MINUTE, SECOND } from '@vitrine/core';
import { Scheduler } from '../running/scheduler.js';
import { FakeStore } from '../testing/fake-store.js';
import { probeSlots, reached } from './probe.js';
import { ProbeSource } from './probe-source.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const INTERVAL = 30 * SECOND;

describe('probeSlots', () => {
  const without = () => 0;

  it('is always the next moment of a fixed grid', () => {
    const slots = probeSlots('acme:web', INTERVAL, without);
    const first = slots(NOW);
    expect(first - NOW).toBeGreaterThan(0);
    expect(first - NOW).toBeLessThanOrEqual(INTERVAL);
    expect(slots(first + 700)).toBe(first + INTERVAL);
    expect(slots(first + INTERVAL + 29_999)).toBe(first + 2 * INTERVAL);
  });

  it('leaves out the slots that have passed', () => {
    const slots = probeSlots('acme:web', INTERVAL, without);
    const first = slots(NOW);
    expect(slots(first + 10 * INTERVAL + 1)).toBe(first + 11 * INTERVAL);
  });

  it('gives no slot twice when a timer fires a moment too early', () => {
    const slots = probeSlots('acme:web', INTERVAL, without);
    const first = slots(NOW);
    expect(slots(first - 1)).toBe(first + INTERVAL);
  });

  it('goes on soon after the clock was set back', () => {
    const slots = probeSlots('acme:web', INTERVAL, without);
    slots(NOW);
    const next = slots(NOW - 5 * HOUR);
    expect(next - (NOW - 5 * HOUR)).toBeLessThanOrEqual(INTERVAL);
  });

  it('spreads probes over the interval, and each has the same place after a restart', () => {
    const firsts = Array.from({ length: 200 }, (_, index) => probeSlots(`acme:${String(index)}`, INTERVAL, without)(NOW) - NOW);
    const tenths = new Set(firsts.map((first) => Math.floor((first - 1) / (INTERVAL / 10))));
    expect(tenths.size).toBe(10);
    expect(probeSlots('acme:7', INTERVAL, without)(NOW) - NOW).toBe(firsts[7]);
  });

  it('adds at most a twentieth of the interval, and at most a second', () => {
    const most = (intervalMs: number) => probeSlots('a', intervalMs, () => 0.999_999)(NOW) - probeSlots('a', intervalMs, without)(NOW);
    expect(most(10 * SECOND)).toBe(499);
    expect(most(8 * HOUR)).toBe(999);
  });
});

describe('probes in the scheduler', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('stay within a second of their slots for an hour, whatever each attempt takes', async () => {
    jest.useFakeTimers({ now: NOW });
    const starts: number[] = [];
    const source = new ProbeSource({
      service: { key: 'acme:web', intervalMs: INTERVAL, confirmAfter: 0, dependency: false },
      // Up to 2.9 s, so that an interval counted from end to end would drift by a minute in each hour.
      probe: async () => {
        starts.push(Date.now());
        await new Promise((resolve) => setTimeout(resolve, (starts.length * 131) % 2_900));
        return reached('ok', 1, null);
      },
      canary: null,
      publicAddress: () => 'https://acme.example/',
    });
    const store = new FakeStore();
    const scheduler = new Scheduler({ writer: store, collection: store, clock: { now: () => Date.now() } });
    scheduler.start([source]);
    await jest.advanceTimersByTimeAsync(HOUR);
    const grid = probeSlots('acme:web', INTERVAL, () => 0);
    const [, ...repeated] = starts;
    const late = repeated.map((start) => start - (grid(start - INTERVAL / 2) - 0));
    expect(repeated.length).toBeGreaterThanOrEqual(HOUR / INTERVAL - 2);
    expect(Math.max(...late)).toBeLessThan(SECOND);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    const stopped = scheduler.stop();
    await jest.advanceTimersByTimeAsync(MINUTE);
    await stopped;
  });
});
