import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { UnavailableError, type ReadContext } from '@vitrine/core';

/** Functions that run in a thread, by name. Arguments and results must be structured-cloneable. The last argument is the context, which is not sent. */
export type Calls = Readonly<Record<string, (...args: never) => unknown>>;
type SentOf<Call> = Call extends (...args: [...infer Sent, ReadContext]) => unknown ? Sent : never;
type ResultOf<Call> = Call extends (...args: never) => infer Result ? Awaited<Result> : never;

interface SentCall {
  readonly call: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** A call; that the caller of one has gone; or that the thread must finish its calls and end. */
type ToThread = SentCall | { readonly abort: number } | { readonly end: true };

type FromThread<Event> =
  | { readonly call: number; readonly result: unknown }
  | { readonly call: number; readonly error: SentError }
  | { readonly event: Event };

/** A structured clone of an error would lose its class and its code. */
interface SentError {
  readonly message: string;
  /** Of SQLite, such as `SQLITE_FULL`, or of the operating system; `null` for other errors. */
  readonly code: string | null;
  readonly isUnavailable: boolean;
}

function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error), code: null, isUnavailable: false };
  return { message: error.message, code: 'code' in error ? String(error.code) : null, isUnavailable: error instanceof UnavailableError };
}

function receivedError({ message, code, isUnavailable }: SentError): Error {
  if (isUnavailable) return new UnavailableError(message);
  return Object.assign(new Error(message), code === null ? {} : { code });
}

/**
 * Runs the calls that arrive at a port, one after the other. Urgent calls start when they arrive, also while another call waits for the next turn of the event loop.
 *
 * @param urgent the names of calls that do not wait for others. They must not wait for another turn themselves
 * @param onEnd called when all calls have finished, before the port is closed
 */
export function serveCalls(port: MessagePort, calls: Calls, urgent: readonly string[], onEnd: () => void): void {
  const named = calls as Readonly<Record<string, (...args: unknown[]) => unknown>>;
  const callers = new Map<number, AbortController>();
  let last: Promise<unknown> = Promise.resolve();
  const run = async ({ call, name, args }: SentCall, { signal }: AbortController): Promise<void> => {
    try {
      signal.throwIfAborted();
      port.postMessage({ call, result: await named[name]?.(...args, { signal }) });
    } catch (error) {
      port.postMessage({ call, error: sentError(error) });
    }
    callers.delete(call);
  };
  port.on('message', (message: ToThread) => {
    if ('abort' in message) callers.get(message.abort)?.abort();
    else if ('end' in message)
      void last.then(() => {
        onEnd();
        port.close();
      });
    else {
      const caller = new AbortController();
      callers.set(message.call, caller);
      if (urgent.includes(message.name)) void run(message, caller);
      // Messages that end waiting calls can arrive between two calls.
      else last = last.then(() => run(message, caller)).then(() => nextTurn());
    }
  });
}

/** The side of the store: a thread, or a port to calls that run in the same one. */
export interface Channel {
  postMessage(message: ToThread): void;
  on(event: string, listener: (value: unknown) => void): unknown;
  ref(): void;
  unref(): void;
}

interface PendingCall {
  readonly name: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onEnd: () => void;
}

/** Runs calls in another thread. The thread starts at the first call, and again at the first call after it was lost. */
export class StoreThread<Own extends Calls, Event = never> {
  readonly #pending = new Map<number, PendingCall>();
  #channel: Channel | null = null;
  #ended: Promise<void> = Promise.resolve();
  #isClosed = false;
  #count = 0;
  #onIdle: () => void = () => undefined;
  #lastPassed: Promise<unknown> = Promise.resolve();

  /** @param urgent the names of calls whose results do not wait for those of others */
  constructor(
    private readonly start: () => Channel,
    private readonly onEvent: (event: Event) => void,
    private readonly urgent: readonly string[] = [],
  ) {}

  /** Rejects at once with the signal's reason when it aborts. A call that has started in the thread may go on; one that has not does not start. */
  call<Name extends keyof Own & string>(name: Name, args: SentOf<Own[Name]>, { signal }: ReadContext): Promise<ResultOf<Own[Name]>> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.#isClosed) throw new UnavailableError('The store is closed.');
      const channel = (this.#channel ??= this.#started());
      const call = ++this.#count;
      const onAbort = (): void => {
        channel.postMessage({ abort: call });
        reject(signal.reason as Error);
      };
      const onEnd = (): void => signal.removeEventListener('abort', onAbort);
      this.#pending.set(call, { name, resolve: resolve as PendingCall['resolve'], reject, onEnd });
      // Many calls may run under one signal. Without this, Node warns of a memory leak.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', onAbort, { once: true });
      channel.postMessage({ call, name, args });
      // The process stays alive while calls run.
      channel.ref();
    });
  }

  /** Resolves when all calls have ended and the thread has released its file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#pending.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#channel?.ref();
    this.#channel?.postMessage({ end: true });
    await this.#ended;
  }

  #started(): Channel {
    const channel = this.start();
    let failure: unknown = null;
    channel.on('message', (message) => this.#receive(message as FromThread<Event>));
    channel.on('error', (error) => (failure = error));
    this.#ended = new Promise((resolve) => {
      const onEnd = (): void => {
        this.#lost(failure);
        resolve();
      };
      // Of a worker, and of a port.
      channel.on('exit', onEnd);
      channel.on('close', onEnd);
    });
    channel.unref();
    return channel;
  }

  /** Node.js delivers all messages that have arrived in one turn of the event loop, and each result of a search becomes a whole answer. So one is passed on in each turn, for other requests. */
  #receive(message: FromThread<Event>): void {
    if ('call' in message && this.urgent.includes(this.#pending.get(message.call)?.name ?? '')) this.#pass(message);
    else
      this.#lastPassed = this.#lastPassed.then(() => {
        this.#pass(message);
        return nextTurn();
      });
  }

  #pass(message: FromThread<Event>): void {
    if ('event' in message) this.onEvent(message.event);
    else if ('result' in message) this.#settle(message.call)?.resolve(message.result);
    else this.#settle(message.call)?.reject(receivedError(message.error));
  }

  #settle(id: number): PendingCall | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    call?.onEnd();
    if (this.#pending.size === 0) {
      this.#channel?.unref();
      this.#onIdle();
    }
    return call;
  }

  /** Calls that still run will not be answered. */
  #lost(cause: unknown): void {
    this.#channel = null;
    for (const id of [...this.#pending.keys()])
      this.#settle(id)?.reject(Object.assign(new UnavailableError('A thread of the store has ended.'), { cause }));
  }
}
