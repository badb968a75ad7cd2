import { MINUTE, SECOND } from '@vitrine/core';

/** The part of an output stream that a progress line needs. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const LEAST_PAUSE_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

/** One progress line that is rewritten on a terminal. If the output is not a terminal, it shows nothing. */
export class Progress {
  readonly #paces = new Map<string, Pace>();
  #shownAt = -Infinity;
  #isShown = false;

  /** @param now in milliseconds, from any start */
  constructor(
    private readonly terminal: Terminal,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Shows how far the work with this name is, how fast it is, and how long the rest will take, if the total is known. */
  count(name: string, done: Done): void {
    if (this.terminal.isTTY !== true) return;
    const pace = this.#paces.get(name) ?? new Pace();
    this.#paces.set(name, pace);
    this.show(`${name}: ${pace.textOf(done, this.now())}`);
  }

  /** The work with this name is over. If it begins again, its rate is that of its new beginning. */
  end(name: string): void {
    this.#paces.delete(name);
    this.clear();
  }

  /** Shows the state of the work, at most ten times a second. */
  show(text: string): void {
    const now = this.now();
    if (this.terminal.isTTY !== true || now - this.#shownAt < LEAST_PAUSE_MS) return;
    this.#shownAt = now;
    this.#isShown = true;
    this.terminal.write(`${CLEAR_LINE}${text}`);
  }

  /** Erases the progress line, so that a permanent line can be printed. */
  clear(): void {
    if (this.#isShown) this.terminal.write(CLEAR_LINE);
    this.#isShown = false;
  }
}

export interface Done {
  readonly done: number;
  /** What is counted, such as `commits`. */
  readonly what: string;
  /** How many there are in all; `undefined` if that is not known. */
  readonly total?: number | undefined;
}

/** Before this time, a rate says little. */
const LEAST_MS = SECOND;

export class Pace {
  #first: { readonly what: string; readonly done: number; readonly at: number } | null = null;

  /** Such as `12,000 of 50,000 commits, 4,000/s, 10 s left`. @param now in milliseconds, from any start */
  textOf({ done, what, total }: Done, now: number): string {
    const rate = this.#rateOf(done, what, now);
    const count = total === undefined ? `${number(done)} ${what}` : `${number(done)} of ${number(total)} ${what}`;
    if (rate === null) return count;
    const left = total === undefined ? '' : `, ${duration(((total - done) / rate) * SECOND)} left`;
    return `${count}, ${number(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))}/s${left}`;
  }

  /** In a second; `null`: not known yet. */
  #rateOf(done: number, what: string, now: number): number | null {
    const first = this.#first;
    if (first === null || first.what !== what || first.done > done) {
      // The work has begun, has entered another phase, or has started again.
      this.#first = { what, done, at: now };
      return null;
    }
    return now - first.at < LEAST_MS || done === first.done ? null : ((done - first.done) / (now - first.at)) * SECOND;
  }
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function duration(milliseconds: number): string {
  if (milliseconds < 2 * MINUTE) return `${number(Math.ceil(Math.max(0, milliseconds) / SECOND))} s`;
  return `${number(Math.ceil(milliseconds / MINUTE))} min`;
}
