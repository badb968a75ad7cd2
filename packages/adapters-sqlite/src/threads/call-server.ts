import { setImmediate as nextTurn } from 'node:timers/promises';
import { sentError } from './sent-error.js';
import type { FromThread, ToThread } from './messages.js';

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

/** Runs the calls that a thread receives: one after the other, in the order of their arrival. */
export class CallServer<Calls> {
  readonly #handlers: Readonly<Record<string, AnyHandler>>;
  readonly #post: (message: FromThread) => void;
  readonly #onEnd: () => void;
  readonly #calls = new Map<number, WaitingCall>();
  #isRunning = false;
  #isEnding = false;

  /** @param onEnd called when all calls have finished after a message that ends the thread */
  constructor(handlers: Handlers<Calls>, post: (message: FromThread) => void, onEnd: () => void) {
    this.#handlers = handlers;
    this.#post = post;
    this.#onEnd = onEnd;
  }

  receive(message: ToThread): void {
    if ('abort' in message) this.#calls.get(message.abort)?.controller.abort();
    else if ('end' in message) this.#isEnding = true;
    else this.#calls.set(message.call, { id: message.call, name: message.name, request: message.request, controller: new AbortController() });
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (const call of this.#calls.values()) {
      this.#post(await this.#answer(call));
      this.#calls.delete(call.id);
      // Messages that end waiting calls can arrive now.
      await nextTurn();
    }
    this.#isRunning = false;
    if (this.#isEnding) this.#onEnd();
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
