import { DAY, detectedOutages, HOUR, MINUTE, SECOND, tallyOf, uptimeOf, type Check, type Instant } from '@vitrine/core';
import fc from 'fast-check';
import { FakeStore } from '../../testing/fake-store.js';
import type { HeartbeatWord } from './heartbeat-slots.js';
import { HeartbeatSource, type HeartbeatReceiver } from './heartbeat-source.js';

const START = Date.UTC(2026, 9, 1, 7, 13);

/** A service that reports itself, and the process that listens, on a clock of its own. */
class Simulation {
  readonly store = new FakeStore();
  refusedAt = -Infinity;
  #elapsed = 0;
  #source: HeartbeatSource;
  readonly #service: { readonly intervalMs: number; readonly graceMs: number };
  readonly #clock;

  /** @param driftPpm how much faster the time of day runs than the monotonic clock @param phaseMs the part of a millisecond that only the monotonic clock has */
  constructor(intervalMs: number, graceMs: number, driftPpm = 0, phaseMs = 0) {
    this.#service = { intervalMs, graceMs };
    this.#clock = {
      now: () => Math.floor(START + this.#elapsed * (1 + driftPpm / 1_000_000) + phaseMs),
      elapsed: () => this.#elapsed,
    };
    this.#source = this.#started();
  }

  /** Milliseconds since the start. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /** Runs the source when it is due, as the scheduler does, but not more than 100 times in an interval. */
  async pass(until: number): Promise<void> {
    while (this.#elapsed < until) {
      const pause = this.#source.nextRunAt(START + this.#elapsed) - START - this.#elapsed;
      this.#elapsed = Math.min(until, this.#elapsed + Math.max(pause, this.#service.intervalMs / 100));
      await this.#run();
    }
  }

  async ping(at: number, word: HeartbeatWord = 'ok'): Promise<void> {
    await this.pass(at);
    this.#source.receive(word, this.#clock);
    await this.#run();
  }

  /** Nothing runs. */
  stop(milliseconds: number): void {
    this.#elapsed += milliseconds;
  }

  /** Another process goes on with what is stored. */
  async restart(): Promise<void> {
    this.#source = this.#started();
    await this.#run();
  }

  get checks(): readonly Check[] {
    return this.store.all.filter((record): record is Check => record.kind === 'check').sort((a, b) => a.checkedAt - b.checkedAt);
  }

  get words(): readonly string[] {
    return this.checks.map(({ rawState }) => rawState);
  }

  /** What the API says about everything since the start. */
  figures() {
    const now: Instant = START + this.#elapsed;
    const { counts, coveredMs } = tallyOf(this.checks, { from: START, to: now }, now);
    return { ...uptimeOf(counts), unknown: counts.unknown, coveredMs };
  }

  #started(): HeartbeatSource {
    const receiver: HeartbeatReceiver = {
      start: () => undefined,
      stop: () => Promise.resolve(),
      listeningSince: (
        (since) => () =>
          Promise.resolve(since)
      )(this.#elapsed),
      isShared: () => false,
      refusedAt: -Infinity,
    };
    Object.defineProperty(receiver, 'refusedAt', { get: () => this.refusedAt });
    const service = { key: 'acme:backup', tokenVariable: 'TOKEN', ...this.#service };
    return new HeartbeatSource({ service, environment: { TOKEN: 'a-token-of-a-backup' }, publicAddress: () => 'https://acme.example/', receiver });
  }

  async #run(): Promise<void> {
    const { store } = this;
    const context = { writer: store, collection: store, clock: this.#clock, signal: new AbortController().signal, progress: () => undefined };
    await this.#source.run(context);
  }
}

async function pinged(simulation: Simulation, from: number, until: number, everyMs: number): Promise<void> {
  for (let at = from; at < until; at += everyMs) await simulation.ping(at);
}

describe('the uptime of a service that reports itself', () => {
  it.each([
    [
      'a daily job that sends a heartbeat every 2 hours for 5 days, then none for 1',
      2 * HOUR,
      5,
      1,
      HOUR,
      { uptimePercent: 83.33, checksTracked: 6 },
    ],
    ['a daily job that sends one a day for 5 days, then none for 1', DAY, 5, 1, 0, { uptimePercent: 83.33, checksTracked: 6 }],
    ['a daily job that sends one every 7 hours for 3 days, then none for 1', 7 * HOUR, 3, 1, HOUR, { uptimePercent: 75, checksTracked: 4 }],
    ['a daily job that always sends heartbeats', 3 * HOUR, 3, 0, 0, { uptimePercent: 100, checksTracked: 3 }],
  ])('is the share of its slots: %s', async (_job, everyMs, daysUp, daysDown, afterwards, expected) => {
    // The last silent slot is decided after the grace.
    const simulation = new Simulation(DAY, HOUR);
    await pinged(simulation, 0, daysUp * DAY, everyMs);
    await simulation.pass((daysUp + daysDown) * DAY + afterwards - 1);
    expect(simulation.figures()).toMatchObject(expected);
  });

  it('is that of a model which counts slots, however many heartbeats each of them has', async () => {
    const slot = fc.constantFrom('up', 'up', 'failed', 'silent');
    const offsets = fc.array(fc.integer({ min: 1, max: HOUR - 2 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(slot, offsets), { minLength: 1, maxLength: 12 }), async (others) => {
        // Slot 0 begins with the first heartbeat, so it is never silent.
        const slots = [['up', []] as const, ...others];
        const simulation = new Simulation(HOUR, 0);
        for (const [index, [kind, more]] of slots.entries()) {
          const start = index * HOUR;
          if (kind === 'silent') continue;
          // The first and the last millisecond, so that only whole slots are silent.
          const times = [...new Set([0, ...more, HOUR - 1])].sort((a, b) => a - b);
          for (const [number, time] of times.entries())
            await simulation.ping(start + time, kind === 'failed' && number === times.length >> 1 ? 'reported' : 'ok');
        }
        await simulation.pass(slots.length * HOUR - 1);
        const kinds = slots.map(([kind]) => kind);
        const down = kinds.filter((kind) => kind !== 'up').length;
        expect([simulation.figures().checksTracked, simulation.words.filter((word) => word !== 'ok').length]).toEqual([kinds.length, down]);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 200 : 4 },
    );
  });

  it('keeps a heartbeat and counts each silent slot once, also if the time of day and the monotonic clock disagree a little', async () => {
    const part = fc.double({ min: 0, max: 0.999, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -500, max: 500 }),
        part,
        part,
        fc.constantFrom(0, MINUTE, 3 * HOUR),
        async (driftPpm, phaseMs, at, grace) => {
          const simulation = new Simulation(HOUR, grace, driftPpm, phaseMs);
          await simulation.ping(at);
          await simulation.pass(4 * HOUR + grace + 2 * MINUTE);
          expect(simulation.words).toEqual(['ok', 'missed', 'missed', 'missed', 'missed']);
        },
      ),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 200 : 4 },
    );
  });

  it('has no gap, no outage and one check for each slot while heartbeats come in time, also if the process is restarted', async () => {
    const jitter = fc.integer({ min: -2 * MINUTE, max: 2 * MINUTE });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(jitter, fc.boolean()), { minLength: 2, maxLength: 12 }), async (beats) => {
        const grace = 5 * MINUTE;
        const simulation = new Simulation(HOUR, grace);
        await simulation.ping(0);
        for (const [index, [late, restarts]] of beats.entries()) {
          await simulation.ping((index + 1) * HOUR + late);
          if (restarts) await simulation.restart();
        }
        expect(new Set(simulation.words)).toEqual(new Set(['ok']));
        expect(simulation.figures().coveredMs).toBe(simulation.elapsed);
        const last = simulation.checks.at(-1);
        expect(START + simulation.elapsed - (last?.checkedAt ?? 0)).toBeLessThan(HOUR + grace);
        expect(simulation.checks.length).toBeLessThanOrEqual(beats.length + 1);
        expect(simulation.checks.length).toBeGreaterThanOrEqual(beats.length);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 200 : 4 },
    );
  });

  it('counts a slot as unknown in which connections were refused and no heartbeat came, and only that slot', async () => {
    const simulation = new Simulation(HOUR, MINUTE);
    await simulation.ping(0);
    await simulation.pass(HOUR);
    simulation.refusedAt = simulation.elapsed;
    await simulation.pass(3 * HOUR + 2 * MINUTE);
    expect(simulation.words).toEqual(['ok', 'overloaded', 'missed', 'missed']);
    expect(simulation.figures()).toMatchObject({ checksTracked: 3, unknown: 1, uptimePercent: 33.33 });
  });

  it('counts a heartbeat that comes after its slot was called overloaded', async () => {
    const simulation = new Simulation(HOUR, MINUTE);
    await simulation.ping(0);
    simulation.refusedAt = simulation.elapsed + 1;
    await simulation.pass(HOUR + 2 * MINUTE);
    expect(simulation.words).toEqual(['ok', 'overloaded']);
    await simulation.ping(HOUR + 5 * MINUTE);
    expect(simulation.words).toEqual(['ok', 'ok']);
  });

  it('recovers with the next slot after an outage', async () => {
    const simulation = new Simulation(HOUR, MINUTE);
    await simulation.ping(0);
    await simulation.pass(HOUR + 10 * MINUTE);
    await simulation.ping(HOUR + 30 * MINUTE);
    expect(simulation.words).toEqual(['ok', 'missed']);
    await simulation.pass(2 * HOUR + MINUTE);
    expect(simulation.words).toEqual(['ok', 'missed', 'ok']);
  });

  it.each([
    ['a short pause', MINUTE],
    ['a pause of two days', 2 * DAY],
  ])(
    'has one outage while the service stays silent, also if the collector restarts after %s, and the time in which nobody listened is unknown',
    async (_, pause) => {
      const simulation = new Simulation(HOUR, MINUTE);
      await simulation.ping(0);
      await simulation.pass(2 * HOUR + 30 * MINUTE);
      const stored = [...simulation.words];
      simulation.stop(pause);
      await simulation.restart();
      await simulation.pass(simulation.elapsed + 2 * HOUR);
      expect([stored, simulation.words]).toEqual([
        ['ok', 'missed', 'missed'],
        ['ok', 'missed', 'missed', 'missed'],
      ]);
      const outages = detectedOutages(simulation.checks, START + simulation.elapsed);
      expect(outages).toEqual([{ startAt: START + HOUR + MINUTE, endAt: null, confirmingChecks: 3, endUncertain: false }]);
      const unheard = (simulation.checks[3]?.checkedAt ?? 0) - (simulation.checks[2]?.checkedAt ?? 0) - (HOUR + MINUTE);
      expect(unheard).toBeGreaterThan(0);
      expect(simulation.figures().coveredMs).toBe(simulation.elapsed - unheard);
    },
  );

  it('counts slots anew if the interval is changed', async () => {
    const simulation = new Simulation(HOUR, MINUTE);
    await simulation.ping(0);
    const other = new Simulation(10 * SECOND, 0);
    await other.store.put(simulation.store.all);
    await other.ping(5 * SECOND);
    await other.ping(14 * SECOND);
    await other.ping(16 * SECOND);
    expect(other.words).toEqual(['ok', 'ok', 'ok']);
  });
});
