import { MINUTE, SECOND, type Clock, type Instant } from '@vitrine/core';

/** This many time-outs within {@link WITHIN_MS} open the circuit. */
const TIME_OUTS = 3;
const WITHIN_MS = 10 * SECOND;
const OPEN_MS = SECOND;
/** How long a failure is reported if no further call is made. */
const REMEMBERED_MS = MINUTE;

/** `left`: the client disconnected first, so the call says nothing about the source. */
export type CallOutcome = 'answered' | 'failed' | 'timed-out' | 'left';

/**
 * A circuit breaker: it keeps callers from waiting for a source that does not respond. Three time-outs within 10 s open the circuit: for one second no call
 * is made. Then a single call may try, and its outcome closes the circuit or opens it for another second.
 */
export class Circuit {
  readonly #clock: Clock;
  readonly #onChange: (isOpen: boolean) => void;
  /** Grows each time the circuit opens. Outcomes of calls from an earlier era are ignored, because they describe the source as it was before. */
  #era = 0;
  #timeOuts: readonly Instant[] = [];
  #openedAt: Instant | null = null;
  #isTrying = false;
  #failedAt: Instant | null = null;

  constructor(clock: Clock, onChange: (isOpen: boolean) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Whether the most recently ended call failed, and did so within the last minute. */
  get isFailing(): boolean {
    return this.#failedAt !== null && this.#clock.now() - this.#failedAt < REMEMBERED_MS;
  }

  /** Whether the next admitted call is a trial of a source that did not respond. */
  get isOpen(): boolean {
    return this.#openedAt !== null;
  }

  /** Admits a call: returns the era to pass to {@link ended}, or `null` if no call may be made now. */
  admit(): number | null {
    if (this.#openedAt === null) return this.#era;
    const openFor = this.#clock.now() - this.#openedAt;
    // If the clock was set back, the difference is negative. That must not keep the circuit open.
    if (this.#isTrying || (openFor >= 0 && openFor < OPEN_MS)) return null;
    this.#isTrying = true;
    return this.#era;
  }

  /** Records the outcome of an admitted call. Call it once for each. */
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
