import { DAY, HOUR, type Instant } from '../domain/shared/instant.js';

/** Two clocks read at once. */
export interface ClockReading {
  /** What the clock says the time is. Anybody can set it. */
  readonly wall: Instant;
  /** Milliseconds since some moment, by a clock that nobody can set. It may stop while the machine sleeps, and starts anew with each process. */
  readonly elapsed: number;
}

/** What a store holds when a process opens it. */
export interface StoredTimes {
  /** The time of the newest check that is not more than an hour ahead of the clock; `null` when there is none. */
  readonly newest: Instant | null;
  /** The time of the newest check that is at least a day old by the clock; `null` when there is none. */
  readonly dayOld: Instant | null;
}

/** The time, for a store's retention. */
export interface Present {
  /** What the clock says. Checks that come too late are refused by it. */
  readonly now: Instant;
  /** It is certainly this late: `now` while the clock is believed, and never later. Checks are deleted by it. */
  readonly certain: Instant;
}

/** Why the clock is not believed for a day. */
export interface ClockDoubt {
  /** It jumped while the process ran, or does not fit to what is stored when the process starts. */
  readonly reason: 'jump' | 'start';
  /** Milliseconds: how far it jumped, or how far it is ahead of the newest check that is a day old. */
  readonly by: number;
}

interface Belief {
  /** The reading by which later ones are judged. */
  readonly since: ClockReading;
  /** For how many milliseconds of `elapsed` the clock had been watched at `since`; `null`: it is believed. */
  readonly watched: number | null;
  /** The last time that was believed. */
  readonly certain: Instant;
}

/** By how much two clocks may differ. */
const TOLERANCE = HOUR;
/** For how long a clock that is in doubt has to agree with the one that nobody sets. */
const WATCH = DAY;

/**
 * Tells what a store's retention may go by, so that a clock that is wrong for a while deletes nothing. While the clock is in doubt, `certain` stands
 * still. A machine that was asleep looks like a clock that jumped, and is treated like it.
 */
export class RetentionClock {
  readonly #read: () => ClockReading;
  readonly #onDoubt: (doubt: ClockDoubt) => void;
  #belief: Belief | null = null;

  constructor(read: () => ClockReading, onDoubt: (doubt: ClockDoubt) => void = () => undefined) {
    this.#read = read;
    this.#onDoubt = onDoubt;
  }

  get isStarted(): boolean {
    return this.#belief !== null;
  }

  /** To be called once, with what earlier processes have stored. */
  start(stored: StoredTimes): void {
    const reading = this.#read();
    this.#belief = firstBelief(reading, stored);
    const ahead = stored.dayOld === null ? 0 : reading.wall - stored.dayOld;
    if (this.#belief.watched !== null && ahead > 2 * WATCH) this.#onDoubt({ reason: 'start', by: ahead });
  }

  /** Compares both clocks again. */
  present(): Present {
    if (this.#belief === null) throw new Error('start must be called first');
    const reading = this.#read();
    const { belief, jump } = nextBelief(this.#belief, reading);
    this.#belief = belief;
    if (jump !== 0) this.#onDoubt({ reason: 'jump', by: jump });
    return { now: reading.wall, certain: Math.min(belief.certain, reading.wall) };
  }
}

/** A check of a day ago beside a new one: an earlier process with a clock that was wrong only for a while leaves no such pair. */
function firstBelief(reading: ClockReading, { newest, dayOld }: StoredTimes): Belief {
  const { wall } = reading;
  const isProven = newest !== null && wall - newest <= TOLERANCE && dayOld !== null && wall - dayOld <= 2 * WATCH;
  // Where nothing is a day old, nothing is old enough to be deleted.
  return isProven || dayOld === null ? { since: reading, watched: null, certain: wall } : { since: reading, watched: 0, certain: dayOld };
}

function nextBelief(before: Belief, reading: ClockReading): { readonly belief: Belief; readonly jump: number } {
  const passed = reading.elapsed - before.since.elapsed;
  const jump = reading.wall - before.since.wall - passed;
  if (Math.abs(jump) > TOLERANCE) {
    // Who sleeps every night must come to a day of being watched too.
    const isSleep = jump > 0 && jump <= DAY;
    const watched = before.watched === null || !isSleep ? 0 : before.watched + passed;
    return { belief: { since: reading, watched, certain: before.certain }, jump };
  }
  const isBelieved = before.watched === null || before.watched + passed >= WATCH;
  return { belief: isBelieved ? { since: before.since, watched: null, certain: reading.wall } : before, jump: 0 };
}
