import { setMaxListeners } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { UnavailableError, type ReadContext } from '@vitrine/core';
import type { ServedStore } from '../readers/reader-calls.js';
import { receivedError, type FromThread, type StoreEvent, type ToThread } from './messages.js';

/** A way to exchange messages with the code that runs calls. */
export interface Connection {
  post(message: ToThread): void;
  /** Whether the process must stay alive for it. */
  hold(isNeeded: boolean): void;
  /** Resolves when the other side has finished all calls and released everything. */
  end(): Promise<void>;
}

/** @param onLost called if the other side has ended although it was not asked to */
export type Connect = (onMessage: (message: FromThread) => void, onLost: (error: unknown) => void) => Connection;

type RequestOf<Call> = Call extends (request: infer Request) => unknown ? Request : never;
type ResultOf<Call> = Call extends (request: never) => infer Result ? Result : never;

interface PendingCall {
  readonly name: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs calls in another thread. The thread starts at the first call. */
export class StoreThread<Calls> {
  readonly #urgent: ReadonlySet<string>;
  readonly #pending = new Map<number, PendingCall>();
  readonly #turns = new MessageTurns<FromThread>((message) => {
    this.#pass(message);
  });
  #connection: Connection | null = null;
  #isClosed = false;
  #count = 0;
  #onIdle: () => void = () => undefined;

  /** @param urgent the names of calls whose results do not wait for those of others */
  constructor(
    private readonly connect: Connect,
    private readonly onEvent: (event: StoreEvent) => void,
    urgent: readonly (keyof Calls & string)[] = [],
  ) {
    this.#urgent = new Set(urgent);
  }

  /** Rejects at once with the signal's reason when it aborts. A call that has started in the thread may go on; one that has not does not start. */
  call<Name extends keyof Calls & string>(name: Name, request: RequestOf<Calls[Name]>, { signal }: ReadContext): Promise<ResultOf<Calls[Name]>> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.#isClosed) throw new UnavailableError('The store is closed.');
      const id = ++this.#count;
      const connection = this.#connected();
      const onAbort = (): void => {
        connection.post({ abort: id });
        reject(signal.reason as Error);
      };
      const settled =
        <Value>(settle: (value: Value) => void): ((value: Value) => void) =>
        (value) => {
          signal.removeEventListener('abort', onAbort);
          settle(value);
        };
      this.#pending.set(id, { name, resolve: settled(resolve as (result: unknown) => void), reject: settled(reject) });
      // Many calls may run under one signal. Without this, Node warns of a memory leak.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', onAbort, { once: true });
      connection.post({ call: id, name, request });
      connection.hold(true);
    });
  }

  /** Resolves when all calls have ended and the thread has released its file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#pending.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await this.#connection?.end();
  }

  #connected(): Connection {
    this.#connection ??= this.connect(
      (message) => {
        this.#receive(message);
      },
      (error) => {
        this.#lost(error);
      },
    );
    return this.#connection;
  }

  #receive(message: FromThread): void {
    if ('call' in message && this.#urgent.has(this.#pending.get(message.call)?.name ?? '')) this.#pass(message);
    else this.#turns.receive(message);
  }

  #pass(message: FromThread): void {
    if ('event' in message) this.onEvent(message.event);
    else if ('error' in message) this.#settle(message.call)?.reject(receivedError(message.error));
    else this.#settle(message.call)?.resolve(message.result);
  }

  #settle(id: number): PendingCall | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) {
      this.#connection?.hold(false);
      this.#onIdle();
    }
    return call;
  }

  /** The next call starts a new thread. */
  #lost(cause: unknown): void {
    this.#connection = null;
    for (const id of [...this.#pending.keys()]) {
      const error = new UnavailableError('A thread of the store has ended.');
      error.cause = cause;
      this.#settle(id)?.reject(error);
    }
  }
}

/**
 * Passes on one message in each turn of the event loop. Node.js delivers all messages that have arrived in one turn. Each result of a search becomes a whole answer,
 * so many of them at once would keep other requests waiting.
 */
export class MessageTurns<Message> {
  readonly #waiting: Message[] = [];
  #isTurnTaken = false;

  constructor(private readonly pass: (message: Message) => void) {}

  receive(message: Message): void {
    if (this.#isTurnTaken) this.#waiting.push(message);
    else this.#take(message);
  }

  #take(message: Message): void {
    this.#isTurnTaken = true;
    setImmediate(() => {
      this.#isTurnTaken = false;
      const next = this.#waiting.shift();
      if (next !== undefined) this.#take(next);
    });
    this.pass(message);
  }
}

/** The file that a thread runs. package.json says where it is: in the published package, or in the sources. */
const WORKER = createRequire(import.meta.url).resolve('#store-worker');

/** Runs the calls in a worker thread. */
export function connectWorker(options: ServedStore): Connect {
  return (onMessage, onLost) => {
    const worker = new Worker(WORKER, { name: 'vitrine reader', workerData: options });
    let isEnding = false;
    let failure: unknown = null;
    worker.on('message', (message: FromThread) => {
      onMessage(message);
    });
    worker.on('error', (error) => (failure = error));
    // Not `once` of `node:events`, which rejects if the thread ends with an error.
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        if (!isEnding) onLost(failure);
        resolve();
      });
    });
    worker.unref();
    return {
      post: (message) => {
        worker.postMessage(message);
      },
      hold: (isNeeded) => {
        if (isNeeded) worker.ref();
        else worker.unref();
      },
      end: () => {
        isEnding = true;
        worker.ref();
        worker.postMessage({ end: true });
        return exited;
      },
    };
  };
}
