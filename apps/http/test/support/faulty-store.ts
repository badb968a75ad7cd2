import { UnavailableError, type StoreReaders } from '@vitrine/core';

/** `hangs`: never ends, even if its signal aborts. `fails`: fails at once, as a store that is known to be lost. `breaks`: fails with an unexpected error. `until`: waits for a promise. */
export type Fault = 'none' | 'hangs' | 'fails' | 'breaks' | { readonly delayMs: number } | { readonly until: Promise<unknown> };
export type ReaderName = keyof StoreReaders;

/** A store whose readers work until the test sets a fault. It counts the calls. */
export class FaultyStore {
  readonly #faults = new Map<ReaderName, Fault>();
  readonly #calls = new Map<ReaderName, number>();
  readonly #signals = new Map<ReaderName, AbortSignal>();
  #running = 0;
  mostRunning = 0;

  /** Makes the named readers wait, until the returned function is called. */
  hold(...names: readonly ReaderName[]): () => void {
    let release: () => void = () => undefined;
    this.set({ until: new Promise<void>((resolve) => (release = resolve)) }, ...names);
    return release;
  }

  /** Sets the fault of the named readers, or of all readers if none is named. */
  set(fault: Fault, ...names: readonly ReaderName[]): void {
    for (const name of names.length === 0 ? READERS : names) this.#faults.set(name, fault);
  }

  /** The number of calls so far. */
  calls(...names: readonly ReaderName[]): number {
    return (names.length === 0 ? READERS : names).reduce((sum, name) => sum + (this.#calls.get(name) ?? 0), 0);
  }

  /** The signal of the latest call. */
  signalOf(name: ReaderName): AbortSignal | undefined {
    return this.#signals.get(name);
  }

  /** Wraps the readers of a store with the faults. */
  readonly over = (readers: StoreReaders): StoreReaders => {
    const faulty = { ...readers };
    for (const name of READERS) Reflect.set(faulty, name, this.#faulty(name, readers[name]));
    return faulty;
  };

  #faulty<Reader extends object>(name: ReaderName, reader: Reader): Reader {
    return new Proxy(reader, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== 'function') return member;
        return (...args: readonly unknown[]) => this.#call(name, args, () => Reflect.apply(member, target, args) as Promise<unknown>);
      },
    });
  }

  async #call(name: ReaderName, args: readonly unknown[], read: () => Promise<unknown>): Promise<unknown> {
    this.#calls.set(name, (this.#calls.get(name) ?? 0) + 1);
    this.#signals.set(name, (args.at(-1) as { signal: AbortSignal }).signal);
    this.#running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.#running);
    try {
      return await faults(this.#faults.get(name) ?? 'none', read);
    } finally {
      this.#running -= 1;
    }
  }
}

const READERS: readonly ReaderName[] = [
  'repositories',
  'commits',
  'activity',
  'releases',
  'findings',
  'builds',
  'missions',
  'news',
  'articles',
  'videos',
  'services',
  'checks',
  'incidents',
  'search',
  'syncs',
];

async function faults(fault: Fault, read: () => Promise<unknown>): Promise<unknown> {
  if (fault === 'hangs') return new Promise(() => undefined);
  if (fault === 'fails') throw new UnavailableError();
  if (fault === 'breaks') throw new Error('CANARY at /srv/driver.js');
  if (fault !== 'none') await ('until' in fault ? fault.until : new Promise((resolve) => setTimeout(resolve, fault.delayMs)));
  return read();
}
