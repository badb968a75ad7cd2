import { DAY, HOUR, type Instant } from '../kinds/instant.js';

interface ClockReading {
  /** The time of the system clock. Anybody can set it. */
  readonly wall: Instant;
  /** Milliseconds of the monotonic clock, which cannot be set. It may stop while the machine sleeps, and restarts with each process. */
  readonly elapsed: number;
}

/** Times of stored checks, read when a process opens the store; `null` if there is no such check. */
export interface StoredTimes {
  /** Of the newest check that is not more than an hour ahead of the clock. */
  readonly newest: Instant | null;
  /** Of the newest check that is at least a day old by the clock. */
  readonly dayOld: Instant | null;
}

/** Why the clock is not trusted for a day. */
export interface ClockDoubt {
  /** `jump`: the clock jumped while the process ran. `start`: when the process started, the stored checks did not confirm the clock. */
  readonly reason: 'jump' | 'start';
  /** Milliseconds: how far the clock jumped, or how far it is ahead of the newest check that is a day old. */
  readonly by: number;
}

interface Belief {
  /** The reading with which later readings are compared. */
  readonly since: ClockReading;
  /** For how many milliseconds of `elapsed` the clock had been watched at `since`; `null` if it is trusted. */
  readonly watched: number | null;
  /** The last trusted time. */
  readonly certain: Instant;
}

/** The largest accepted difference between the two clocks. */
const TOLERANCE = HOUR;
/** For how long a clock in doubt must agree with the monotonic clock before it is trusted again. */
const WATCH = DAY;

/**
 * Decides which days of checks are frozen: their raw checks are no longer kept, only their counts. Nothing is deleted when the clock is wrong for a while: while it is
 * in doubt, `certain` does not advance. Sleep of the machine looks like a jump of the clock, and puts it in doubt too.
 */
export class Retention {
  #belief: Belief | null = null;
  #now: Instant = 0;
  #certain: Instant = 0;

  /** @param retentionMs how long raw checks are kept, in milliseconds */
  constructor(
    private readonly retentionMs: number,
    private readonly read: () => ClockReading,
    private readonly onDoubt: (doubt: ClockDoubt) => void = () => undefined,
  ) {}

  get isStarted(): boolean {
    return this.#belief !== null;
  }

  /** Call this once, with the times that earlier processes have stored. */
  start(stored: StoredTimes): void {
    const reading = this.read();
    this.#belief = firstBelief(reading, stored);
    const ahead = stored.dayOld === null ? 0 : reading.wall - stored.dayOld;
    if (this.#belief.watched !== null && ahead > 2 * WATCH) this.onDoubt({ reason: 'start', by: ahead });
  }

  /** Reads and compares the clocks. Days are judged by the time of the last call. */
  look(): void {
    if (this.#belief === null) throw new Error('start must be called first');
    const reading = this.read();
    const { belief, jump } = nextBelief(this.#belief, reading);
    this.#belief = belief;
    if (jump !== 0) this.onDoubt({ reason: 'jump', by: jump });
    this.#now = reading.wall;
    this.#certain = Math.min(belief.certain, reading.wall);
  }

  /** Raw checks of days that start earlier are not kept, according to the clock. */
  get keptFrom(): Instant {
    return this.#now - this.retentionMs;
  }

  /** Days that start earlier are frozen, even if the clock is wrong. */
  get surelyKeptFrom(): Instant {
    return this.#certain - this.retentionMs;
  }

  /** Whether a day is frozen, according to the clock. If the clock is set back, it must stay frozen. */
  isFrozen(day: Instant): boolean {
    return day < this.keptFrom;
  }

  /** Whether a day is certainly frozen: the clock says so and is not in doubt. */
  isSurelyFrozen(day: Instant): boolean {
    return day < this.surelyKeptFrom;
  }
}

/** A new check and one of a day ago confirm the clock: an earlier process whose clock was wrong for a short time does not leave both. */
function firstBelief(reading: ClockReading, { newest, dayOld }: StoredTimes): Belief {
  const { wall } = reading;
  const isProven = newest !== null && wall - newest <= TOLERANCE && dayOld !== null && wall - dayOld <= 2 * WATCH;
  // If no check is a day old, no check is old enough to be deleted.
  return isProven || dayOld === null ? { since: reading, watched: null, certain: wall } : { since: reading, watched: 0, certain: dayOld };
}

function nextBelief(before: Belief, reading: ClockReading): { readonly belief: Belief; readonly jump: number } {
  const passed = reading.elapsed - before.since.elapsed;
  const jump = reading.wall - before.since.wall - passed;
  if (Math.abs(jump) > TOLERANCE) {
    // A machine that sleeps every night must reach a day of watching too.
    const isSleep = jump > 0 && jump <= DAY;
    const watched = before.watched === null || !isSleep ? 0 : before.watched + passed;
    return { belief: { since: reading, watched, certain: before.certain }, jump };
  }
  const isBelieved = before.watched === null || before.watched + passed >= WATCH;
  return { belief: isBelieved ? { since: before.since, watched: null, certain: reading.wall } : before, jump: 0 };
}
