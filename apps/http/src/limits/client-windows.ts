import type { Clock } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';

/** The requests of one client since its first one, until the window ends. */
interface Window {
  count: number;
  /** In whole milliseconds, because V8 stores small integers without an object. */
  readonly endsAt: number;
}

export interface ClientWindowsOptions {
  /** What is counted, such as `requests`. */
  readonly name: string;
  /** How many of them a client may send in a window. */
  readonly points: number;
  /** The length of a window. */
  readonly seconds: number;
  /** The most windows that are kept. The least recently used one is dropped first. One takes about 210 bytes. */
  readonly most: number;
  /** It must not jump. */
  readonly clock: Clock;
}

/**
 * A limiter of rate-limiter-flexible over a store of limited size. Besides the methods of the library, which return promises, it has one that returns its
 * result at once. The library calls the methods with an underscore.
 */
export class ClientWindows extends RateLimiterStoreAbstract {
  readonly name: string;
  readonly #windows: LRUCache<string, Window>;
  readonly #clock: Clock;

  constructor({ name, points, seconds, most, clock }: ClientWindowsOptions) {
    // With `max` instead, the cache would take its whole memory at once.
    const windows = new LRUCache<string, Window>({ maxSize: most, sizeCalculation: () => 1 });
    // With a prefix, each key would take 60 bytes more.
    super({ keyPrefix: '', points, duration: seconds, storeClient: windows });
    [this.name, this.#windows, this.#clock] = [name, windows, clock];
  }

  /** The number of windows that are kept. */
  get size(): number {
    return this.#windows.size;
  }

  /** Counts a request, as `consume` does, and returns the state of the client's window. The request is one too many if more than the limit are consumed. */
  take(client: string): RateLimiterRes {
    return this._getRateLimiterRes(client, 1, this.#counted(client, 1, this.msDuration));
  }

  _upsert(key: string, points: number, windowMs: number, isForced = false): Promise<Window> {
    if (isForced) this.#windows.delete(key);
    return Promise.resolve(this.#counted(key, points, windowMs));
  }

  _get(key: string): Promise<Window | null> {
    return Promise.resolve(this.#current(key));
  }

  _delete(key: string): Promise<boolean> {
    return Promise.resolve(this.#windows.delete(key));
  }

  _getRateLimiterRes(_key: string, points: number, { count, endsAt }: Window): RateLimiterRes {
    return new RateLimiterRes(Math.max(this.points - count, 0), endsAt - this.#clock.now(), count, count === points);
  }

  #counted(key: string, points: number, windowMs: number): Window {
    const current = this.#current(key);
    if (current !== null) {
      current.count += points;
      return current;
    }
    const window = { count: points, endsAt: Math.floor(this.#clock.now() + windowMs) };
    this.#windows.set(key, window);
    return window;
  }

  #current(key: string): Window | null {
    const window = this.#windows.get(key);
    return window === undefined || window.endsAt <= this.#clock.now() ? null : window;
  }
}
