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

  /** Erases the progress line, so that a permanent line can be printed. */
  clear(): void {
    if (this.#isShown) this.#terminal.write(CLEAR_LINE);
    this.#isShown = false;
  }
}
