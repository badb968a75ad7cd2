import { MINUTE, SECOND, type Clock, type Instant } from '@vitrine/core';

/** So many time-outs within {@link WITHIN_MS} open the circuit. */
const TIME_OUTS = 3;
const WITHIN_MS = 10 * SECOND;
const OPEN_MS = SECOND;
/** For how long a failure is told when nobody asks again. */
const REMEMBERED_MS = MINUTE;

/** `left`: the caller has gone, which says nothing of the source. */
export type CallOutcome = 'answered' | 'failed' | 'timed-out' | 'left';

/**
 * Keeps callers from waiting for a source that does not answer. Three time-outs within 10 s open it: no call is made for a second. Then a single one
 * may try, and its outcome closes the circuit or opens it for another second.
 */
export class Circuit {
  readonly #clock: Clock;
  readonly #onChange: (isOpen: boolean) => void;
  /** Calls of an era that has passed have no say: they tell what the source was like before. */
  #era = 0;
  #timeOuts: readonly Instant[] = [];
  #openedAt: Instant | null = null;
  #isTrying = false;
  #failedAt: Instant | null = null;

  constructor(clock: Clock, onChange: (isOpen: boolean) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Whether the newest call that ended has failed, a minute ago at most. */
  get isFailing(): boolean {
    return this.#failedAt !== null && this.#clock.now() - this.#failedAt < REMEMBERED_MS;
  }

  /** Whether the next call that is admitted tries a source that has not answered. */
  get isOpen(): boolean {
    return this.#openedAt !== null;
  }

  /** The era of a call that may be made now, to be told to {@link ended}; `null` when none may. */
  admit(): number | null {
    if (this.#openedAt === null) return this.#era;
    const openFor = this.#clock.now() - this.#openedAt;
    // A clock that was set back must not keep it open.
    if (this.#isTrying || (openFor >= 0 && openFor < OPEN_MS)) return null;
    this.#isTrying = true;
    return this.#era;
  }

  /** Each call that was admitted ends once. */
  ended(era: number, outcome: CallOutcome): void {
    if (outcome === 'answered') this.#failedAt = null;
    else if (outcome !== 'left') this.#failedAt = this.#clock.now();
    if (era !== this.#era) return;
    if (this.#openedAt !== null) this.#tried(outcome);
    else if (outcome === 'timed-out') this.#timedOut(this.#clock.now());
  }

  #tried(outcome: CallOutcome): void {
    this.#isTrying = false;
    if (outcome === 'left') return;
    if (outcome !== 'answered') {
      this.#open();
      return;
    }
    this.#openedAt = null;
    this.#onChange(false);
  }

  #timedOut(now: Instant): void {
    this.#timeOuts = [...this.#timeOuts.filter((at) => now - at < WITHIN_MS), now];
    if (this.#timeOuts.length < TIME_OUTS) return;
    this.#open();
    this.#onChange(true);
  }

  #open(): void {
    this.#era += 1;
    this.#timeOuts = [];
    this.#openedAt = this.#clock.now();
  }
}
