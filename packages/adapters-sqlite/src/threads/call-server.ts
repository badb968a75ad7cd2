import { setImmediate as nextTurn } from 'node:timers/promises';
import { sentError, type FromThread, type ToThread } from './messages.js';

/** Functions that a thread offers, by name. Requests and results must be structured-cloneable. */
export type Handlers<Calls> = { readonly [Name in keyof Calls]: Handler<Calls[Name]> };
type Handler<Call> = Call extends (request: infer Request) => infer Result
  ? (request: Request, signal: AbortSignal) => Result | Promise<Result>
  : never;
type AnyHandler = (request: unknown, signal: AbortSignal) => unknown;

interface WaitingCall {
  readonly id: number;
  readonly name: string;
  readonly request: unknown;
  readonly controller: AbortController;
}

/**
 * Runs the calls that a thread receives: one after the other, in the order of their arrival. An urgent call starts when it arrives, also while another call waits for
 * the next turn of the event loop.
 */
export class CallServer<Calls> {
  readonly #handlers: Readonly<Record<string, AnyHandler>>;
  readonly #urgent: ReadonlySet<string>;
  readonly #calls = new Map<number, WaitingCall>();
  #running = 0;
  #isTakingTurns = false;
  #isEnding = false;

  /**
   * @param onEnd called when all calls have finished after a message that ends the thread
   * @param urgent the names of calls that do not wait for others. They must be short, and must not wait for another turn themselves
   */
  constructor(
    handlers: Handlers<Calls>,
    private readonly post: (message: FromThread) => void,
    private readonly onEnd: () => void,
    urgent: readonly (keyof Calls & string)[] = [],
  ) {
    this.#handlers = handlers;
    this.#urgent = new Set(urgent);
  }

  receive(message: ToThread): void {
    if ('abort' in message) this.#calls.get(message.abort)?.controller.abort();
    else if ('end' in message) this.#isEnding = true;
    else this.#accept({ id: message.call, name: message.name, request: message.request, controller: new AbortController() });
    this.#endIfIdle();
  }

  #accept(call: WaitingCall): void {
    if (this.#urgent.has(call.name)) {
      void this.#run(call);
      return;
    }
    this.#calls.set(call.id, call);
    if (!this.#isTakingTurns) void this.#takeTurns();
  }

  async #takeTurns(): Promise<void> {
    this.#isTakingTurns = true;
    for (const call of this.#calls.values()) {
      await this.#run(call);
      this.#calls.delete(call.id);
      // Messages that end waiting calls can arrive now.
      await nextTurn();
    }
    this.#isTakingTurns = false;
    this.#endIfIdle();
  }

  async #run(call: WaitingCall): Promise<void> {
    this.#running += 1;
    this.post(await this.#answer(call));
    this.#running -= 1;
    this.#endIfIdle();
  }

  #endIfIdle(): void {
    if (!this.#isEnding || this.#isTakingTurns || this.#running > 0) return;
    this.#isEnding = false;
    this.onEnd();
  }

  async #answer({ id, name, request, controller: { signal } }: WaitingCall): Promise<FromThread> {
    try {
      signal.throwIfAborted();
      return { call: id, result: await this.#handlers[name]?.(request, signal) };
    } catch (error) {
      return { call: id, error: sentError(error) };
    }
  }
}
