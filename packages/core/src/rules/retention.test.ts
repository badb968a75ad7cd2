import fc from 'fast-check';
import { DAY, HOUR, type Instant, MINUTE } from '../kinds/instant.js';
import { type ClockDoubt, Retention, type StoredTimes } from './retention.js';

const START = Date.UTC(2026, 10, 20);
const WATCHED: StoredTimes = { newest: START - MINUTE, dayOld: START - DAY };

/** A machine: the true time, the time of its system clock, and the monotonic time, which stops during sleep. */
class Machine {
  truth = START;
  error = 0;
  awake = 0;
  /** How long it has been awake since its clock was last right. */
  wrongFor = 0;
  readonly doubts: ClockDoubt[] = [];
  /** Keeps nothing, so what it keeps begins now. */
  readonly retention = new Retention(
    0,
    () => ({ wall: this.wall, elapsed: this.awake }),
    (doubt) => this.doubts.push(doubt),
  );

  constructor(stored: StoredTimes = WATCHED, error = 0) {
    this.error = error;
    this.retention.start(stored);
  }

  get wall(): Instant {
    return this.truth + this.error;
  }

  present(): { readonly now: Instant; readonly certain: Instant } {
    this.retention.look();
    return { now: this.retention.keptFrom, certain: this.retention.surelyKeptFrom };
  }

  pass(ms: number): void {
    this.truth += ms;
    this.awake += ms;
    this.wrongFor = this.error === 0 ? 0 : this.wrongFor + ms;
  }

  sleep(ms: number): void {
    this.truth += ms;
  }

  setWrongBy(error: number): void {
    this.error = error;
    if (error === 0) this.wrongFor = 0;
  }
}

type Event = readonly ['pass' | 'sleep' | 'setWrongBy', number];

const events = fc.array(
  fc.oneof(
    fc.tuple(fc.constant('pass' as const), fc.integer({ min: 0, max: 9 * HOUR })),
    fc.tuple(fc.constant('sleep' as const), fc.integer({ min: 0, max: 14 * HOUR })),
    fc.tuple(
      fc.constant('setWrongBy' as const),
      fc.oneof(fc.constant(0), fc.integer({ min: -2 * DAY, max: 2 * DAY }), fc.integer({ min: -500 * DAY, max: 500 * DAY })),
    ),
  ),
  { maxLength: 60 },
);

describe('the clock of Retention', () => {
  it('is never ahead of the truth by more than an hour before its clock has been wrong for a day', () => {
    fc.assert(
      fc.property(events, (happened: readonly Event[]) => {
        const machine = new Machine();
        for (const [what, value] of happened) {
          machine[what](value);
          const { now, certain } = machine.present();
          expect(now).toBe(machine.wall);
          expect(certain).toBeLessThanOrEqual(now);
          if (certain > machine.truth + HOUR) expect(machine.wrongFor).toBeGreaterThanOrEqual(DAY);
        }
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 2_000 : 20 },
    );
  });

  it('believes every clock in the end, whatever has happened', () => {
    fc.assert(
      fc.property(events, fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }), (happened: readonly Event[], age) => {
        const machine = new Machine(age === null ? { newest: null, dayOld: null } : { newest: START - age * DAY, dayOld: START - (age + 1) * DAY });
        for (const [what, value] of happened) {
          machine[what](value);
          machine.present();
        }
        for (let hour = 0; hour <= 24; hour++) {
          machine.present();
          machine.pass(HOUR);
        }
        expect(machine.present().certain).toBe(machine.wall);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 500 : 20 },
    );
  });

  it('never lags far behind on a machine that sleeps every night', () => {
    const machine = new Machine();
    for (let hour = 0; hour < 24 * 15; hour++) {
      if (hour % 24 === 0) machine.sleep(8 * HOUR);
      if (hour % 24 < 16) machine.pass(HOUR);
      expect(machine.wall - machine.present().certain).toBeLessThan(3 * DAY);
    }
  });

  it('stands still for a day after a jump of more than an hour, which it tells once', () => {
    const machine = new Machine();
    machine.pass(HOUR);
    const { certain } = machine.present();
    machine.setWrongBy(400 * DAY);
    for (let hour = 0; hour < 24; hour++) {
      expect(machine.present().certain).toBe(certain);
      machine.pass(HOUR);
    }
    expect(machine.present().certain).toBe(machine.wall);
    expect(machine.doubts).toEqual([{ reason: 'jump', by: 400 * DAY }]);
  });

  it('takes no part of a jump forth and back into account', () => {
    const machine = new Machine();
    machine.setWrongBy(400 * DAY);
    expect(machine.present().certain).toBe(START);
    machine.setWrongBy(0);
    machine.pass(HOUR);
    expect(machine.present().certain).toBe(START);
    machine.pass(DAY);
    expect(machine.present().certain).toBe(machine.truth);
  });

  it('lets clocks differ by an hour, as when one is corrected little by little', () => {
    const machine = new Machine();
    for (const error of [HOUR, -HOUR, 0, 59 * MINUTE]) {
      machine.setWrongBy(error);
      expect(machine.present().certain).toBe(machine.wall);
    }
    expect(machine.doubts).toEqual([]);
  });

  it.each<[string, StoredTimes, boolean]>([
    ['nothing is stored', { newest: null, dayOld: null }, true],
    ['nothing that is stored is a day old', { newest: START - MINUTE, dayOld: null }, true],
    ['checks were stored until now, and a day ago', { newest: START - HOUR, dayOld: START - 2 * DAY }, true],
    ['the newest check is a little ahead', { newest: START + HOUR, dayOld: START - DAY }, true],
    ['the newest check is older than an hour', { newest: START - HOUR - 1, dayOld: START - DAY - HOUR }, false],
    ['only a process with the same wrong clock stored a check just now', { newest: START - MINUTE, dayOld: START - 400 * DAY }, false],
    ['nothing was stored for ten days', { newest: START - 10 * DAY, dayOld: START - 10 * DAY }, false],
  ])('judges the clock at the start by what is stored: %s', (_title, stored, isBelieved) => {
    const machine = new Machine(stored);
    expect(machine.present()).toEqual({ now: START, certain: isBelieved ? START : stored.dayOld });
  });

  it('tells at the start of a clock that is days ahead of what is stored', () => {
    expect(new Machine({ newest: START - 10 * DAY, dayOld: START - 10 * DAY }).doubts).toEqual([{ reason: 'start', by: 10 * DAY }]);
    expect(new Machine({ newest: START - DAY, dayOld: START - DAY }).doubts).toEqual([]);
  });
});
