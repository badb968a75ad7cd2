import { type Clock, type Deadlines, UnavailableError } from '@vitrine/core';
import type { ServerResponse } from 'node:http';
import { setMaxListeners } from 'node:events';

export const REQUEST_BUDGET_MS = 1_500;

/**
 * Milliseconds after its begin in which others join a computation. A slow one is not joined later: its source may hang, and may by now answer another
 * call at once.
 */
const JOINED_MS = 200;

interface Client {
  readonly response: Pick<ServerResponse, 'once' | 'off'>;
}

export interface Work<Facts, Result> {
  readonly key: string;
  readonly facts: Facts;
  readonly budgetMs: number;
  readonly compute: (computing: Computing) => Promise<Result>;
}

export interface Computing {
  readonly signal: AbortSignal;
  /** Whether something was written on which the result depends, after the computation began. */
  readonly isOutdated: () => boolean;
  /** Ends the budget: from now on, the computation waits for no source. */
  readonly haveRead: () => void;
}

interface Running<Facts, Result> {
  readonly work: Work<Facts, Result>;
  readonly beganAt: number;
  readonly controller: AbortController;
  readonly result: Promise<Result>;
  clients: number;
  isOutdated: boolean;
}

/** Runs one computation for all requests that want the same at the same time, within the time of the first of them. It is aborted when all clients have left. */
export class Computations<Facts, Result> {
  readonly #newest = new Map<string, Running<Facts, Result>>();
  /** All computations whose work has not settled, also those that no request can join any more: writes must reach them, because their results may be cached. */
  readonly #unsettled = new Set<Running<Facts, Result>>();

  /** Rejects without waiting for the computation when the time is over or this client has left. */
  join({ response }: Client, work: Work<Facts, Result>): Promise<Result> {
    const newest = this.#newest.get(work.key);
    const running = newest === undefined || performance.now() - newest.beganAt > JOINED_MS ? this.#begin(work) : newest;
    running.clients += 1;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        running.clients -= 1;
        if (running.clients === 0) this.#abort(running, new UnavailableError());
        reject(new UnavailableError());
      };
      response.once('close', leave);
      void running.result.finally(() => response.off('close', leave)).then(resolve, reject);
    });
  }

  /** What is being computed from data that were written meanwhile is not shared with later requests. */
  outdate(isConcerned: (facts: Facts) => boolean): void {
    for (const running of this.#unsettled) {
      if (!isConcerned(running.work.facts)) continue;
      running.isOutdated = true;
      this.#end(running);
    }
  }

  #begin(work: Work<Facts, Result>): Running<Facts, Result> {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => this.#abort(running, new TimedOutError()), work.budgetMs);
    const haveRead = (): void => clearTimeout(timer);
    const settle = (): void => {
      haveRead();
      this.#end(running);
      this.#unsettled.delete(running);
    };
    const computed = work.compute({ signal, isOutdated: () => running.isOutdated, haveRead });
    computed.then(settle, settle);
    const result = untilAborted(signal, () => computed);
    const running: Running<Facts, Result> = { work, beganAt: performance.now(), controller, result, clients: 0, isOutdated: false };
    this.#newest.set(work.key, running);
    this.#unsettled.add(running);
    return running;
  }

  #abort(running: Running<Facts, Result>, reason: UnavailableError): void {
    this.#end(running);
    running.controller.abort(reason);
  }

  /** Nobody joins it any more. */
  #end(running: Running<Facts, Result>): void {
    if (this.#newest.get(running.work.key) === running) this.#newest.delete(running.work.key);
  }
}

/** Equal to the size of the store's connection pool. With more slots, requests would only wait in the pool instead. */
export const STORE_SLOTS = 20;
/** The part of the slots that is reserved for status and overview. */
const VITAL_SLOTS = 2;
const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 400;

/** Limits how many requests read the store at the same time. Status and overview have their own slots, so they are served when all others have to wait. */
export class Admission {
  readonly #shared: Lane;
  readonly #vital = new Lane(VITAL_SLOTS);

  /** @param slots concurrent requests of all lanes together; at least one of them is shared */
  constructor(slots: number) {
    this.#shared = new Lane(Math.max(1, slots - VITAL_SLOTS));
  }

  /**
   * Runs a call when a slot is free. Rejects with an `UnavailableError` if none gets free within 400 ms, or if too many calls are waiting.
   *
   * @param call may give its slot back before it has ended
   */
  run<Result>(isVital: boolean, signal: AbortSignal, call: (giveBack: () => void) => Promise<Result>): Promise<Result> {
    const mayShare = !isVital || (!this.#vital.hasRoom && this.#shared.hasRoom);
    return (mayShare ? this.#shared : this.#vital).run(signal, call);
  }
}

class Lane {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(slots: number) {
    this.#free = slots;
  }

  get hasRoom(): boolean {
    return this.#free > 0;
  }

  async run<Result>(signal: AbortSignal, call: (giveBack: () => void) => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    let isHeld = true;
    const giveBack = (): void => {
      if (isHeld) this.#release();
      isHeld = false;
    };
    try {
      return await call(giveBack);
    } finally {
      giveBack();
    }
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  async #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) throw busy();
    let take: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => this.#waiting.add((take = resolve)));
    try {
      await new TimerDeadlines().run(MAX_WAIT_MS, signal, () => turn);
    } catch {
      // The slot may have been given to it at this very moment.
      if (!this.#waiting.delete(take)) this.#release();
      throw busy();
    }
  }
}

function busy(): UnavailableError {
  return new UnavailableError('Too many requests are being answered at the moment.');
}

export class TimerDeadlines implements Deadlines {
  async run<Result>(milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const own = new AbortController();
    const timer = setTimeout(() => own.abort(new TimedOutError()), milliseconds);
    const follow = (): void => own.abort(reasonOf(signal));
    if (signal.aborted) follow();
    listenedByMany(signal);
    signal.addEventListener('abort', follow, { once: true });
    try {
      return await untilAborted(own.signal, () => call(own.signal));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', follow);
    }
  }
}

/** Settles like the call, or rejects when the signal aborts first, even if the call ignores the signal. */
export function untilAborted<Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(reasonOf(signal));
    if (signal.aborted) {
      abort();
      return;
    }
    listenedByMany(signal);
    signal.addEventListener('abort', abort, { once: true });
    call()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** One request reads many parts at the same time. Node would warn of a leak from the eleventh listener on. */
function listenedByMany(signal: AbortSignal): void {
  setMaxListeners(Infinity, signal);
}

export function reasonOf(signal: AbortSignal): UnavailableError {
  return signal.reason instanceof UnavailableError ? signal.reason : new UnavailableError();
}

/** A source did not respond in time. It is not used when the client disconnected. */
export class TimedOutError extends UnavailableError {}

export const systemClock: Clock = { now: () => Date.now() };

export const monotonicClock: Clock = { now: () => performance.now() };
