import { Pace, type Done } from './pace.js';

/** The part of an output stream that a progress line needs. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const LEAST_PAUSE_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

/** One progress line that is rewritten on a terminal. If the output is not a terminal, it shows nothing. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  readonly #paces = new Map<string, Pace>();
  #shownAt = -Infinity;
  #isShown = false;

  /** @param now in milliseconds, from any start */
  constructor(terminal: Terminal, now: () => number = () => performance.now()) {
    [this.#terminal, this.#now] = [terminal, now];
  }

  /** Shows how far the work with this name is, how fast it is, and how long the rest will take, if the total is known. */
  count(name: string, done: Done): void {
    if (this.#terminal.isTTY !== true) return;
    const pace = this.#paces.get(name) ?? new Pace();
    this.#paces.set(name, pace);
    this.show(`${name}: ${pace.textOf(done, this.#now())}`);
  }

  /** The work with this name is over. If it begins again, its rate is that of its new beginning. */
  end(name: string): void {
    this.#paces.delete(name);
    this.clear();
  }

  /** Shows the state of the work, at most ten times a second. */
  show(text: string): void {
    const now = this.#now();
    if (this.#terminal.isTTY !== true || now - this.#shownAt < LEAST_PAUSE_MS) return;
    this.#shownAt = now;
    this.#isShown = true;
    this.#terminal.write(`${CLEAR_LINE}${text}`);
  }

  /** Erases the progress line, so that a permanent line can be printed. */
  clear(): void {
    if (this.#isShown) this.#terminal.write(CLEAR_LINE);
    this.#isShown = false;
  }
}
