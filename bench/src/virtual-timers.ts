/** Replaces `setTimeout` and `clearTimeout` of this process, so that an hour of timers passes in moments. Input and output stay real. */
export class VirtualTimers {
  #now: number;
  readonly #timers = new Map<object, { readonly at: number; readonly call: () => void }>();
  readonly #real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };

  constructor(now: number) {
    this.#now = now;
  }

  /** The virtual time in milliseconds. */
  readonly now = (): number => this.#now;

  install(): void {
    const start = (call: () => void, inMs = 0): object => {
      const timer = { unref: () => timer, ref: () => timer, hasRef: () => true };
      this.#timers.set(timer, { at: this.#now + inMs, call });
      return timer;
    };
    Object.assign(globalThis, { setTimeout: start, clearTimeout: (timer: object) => this.#timers.delete(timer) });
  }

  uninstall(): void {
    Object.assign(globalThis, this.#real);
  }

  /** Lets time pass, and calls what is due by then, each at its own time. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    const due = [...this.#timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
    for (const [timer, { at, call }] of due) {
      if (!this.#timers.delete(timer)) continue;
      this.#now = Math.max(this.#now, at);
      call();
    }
    this.#now = end;
  }
}
