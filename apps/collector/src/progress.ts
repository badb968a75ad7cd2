/** As much of an output stream as a progress line needs. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const LEAST_PAUSE_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

/** One line that is rewritten on a terminal. Elsewhere nothing is shown but the lines that stay. */
export class Progress {
  readonly #terminal: Terminal;
  #shownAt = -Infinity;
  #isShown = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Shows the state of the work, at most ten times a second. */
  show(text: string): void {
    const now = performance.now();
    if (this.#terminal.isTTY !== true || now - this.#shownAt < LEAST_PAUSE_MS) return;
    this.#shownAt = now;
    this.#isShown = true;
    this.#terminal.write(`${CLEAR_LINE}${text}`);
  }

  /** Makes room for a line that stays. */
  clear(): void {
    if (this.#isShown) this.#terminal.write(CLEAR_LINE);
    this.#isShown = false;
  }
}
