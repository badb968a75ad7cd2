import type { ReadContext, RecordStore, StoreReaders } from '@vitrine/core';

/** A store that breaks one documented promise, and the case that has to notice it. */
export interface BrokenStore {
  readonly name: string;
  readonly breaks: (store: RecordStore) => RecordStore;
  /** The name of the case. */
  readonly noticedBy: string;
}

export type Method = (...args: any[]) => any;

/** The same object with other methods; each gets the right one, bound. */
export function withMethods<Target extends object>(target: Target, changes: Partial<Record<keyof Target, (right: Method) => Method>>): Target {
  return new Proxy(target, {
    get(inner, name) {
      const value: unknown = Reflect.get(inner, name);
      if (typeof value !== 'function') return value;
      const right: Method = (...args) => Reflect.apply(value, inner, args);
      const change = (changes as Record<string | symbol, ((right: Method) => Method) | undefined>)[name];
      return change === undefined ? right : change(right);
    },
  });
}

/** A store in which one method of one reader is another. */
export function withReader<Name extends keyof StoreReaders>(name: Name, method: keyof StoreReaders[Name], change: (right: Method) => Method) {
  return (store: RecordStore): RecordStore =>
    withPart(store, 'readers', {
      ...store.readers,
      [name]: withMethods(store.readers[name] as object, { [method]: change }),
    });
}

/** A store in which one method of its writer, or of what a collector may ask, is another. */
export function withWriter(method: keyof RecordStore['writer'], change: (right: Method) => Method) {
  return (store: RecordStore): RecordStore => withPart(store, 'writer', withMethods(store.writer, { [method]: change }));
}

export function withCollection(method: keyof RecordStore['collection'], change: (right: Method) => Method) {
  return (store: RecordStore): RecordStore => withPart(store, 'collection', withMethods(store.collection, { [method]: change }));
}

function withPart<Part extends keyof RecordStore>(store: RecordStore, part: Part, value: RecordStore[Part]): RecordStore {
  return { readers: store.readers, writer: store.writer, collection: store.collection, close: () => store.close(), [part]: value };
}

/** How a database that takes its time answers: not before a timer has run. */
export const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 1));

const never = new AbortController().signal;

/** The ways to break the promise of `signal`; the context is the last argument of every method of a port. */
export const BROKEN_SIGNALS: Readonly<Record<string, (right: Method) => Method>> = {
  'ignores `signal`':
    (right) =>
    (...args) =>
      right(...args.slice(0, -1), { signal: never }),
  'looks at `signal` only before it asks the database':
    (right) =>
    async (...args) => {
      (args.at(-1) as ReadContext).signal.throwIfAborted();
      await slowly();
      return right(...args.slice(0, -1), { signal: never });
    },
  'looks at `signal` only before and after it asks the database':
    (right) =>
    async (...args) => {
      const { signal } = args.at(-1) as ReadContext;
      signal.throwIfAborted();
      await slowly();
      signal.throwIfAborted();
      return right(...args);
    },
  'looks at `signal` only while it asks the database':
    (right) =>
    async (...args) => {
      const { signal } = args.at(-1) as ReadContext;
      await new Promise<void>((resolve, reject) => {
        void slowly().then(resolve);
        signal.addEventListener('abort', () => {
          reject(signal.reason);
        });
      });
      return right(...args.slice(0, -1), { signal: never });
    },
  'rejects with an error of its own when `signal` aborts':
    (right) =>
    (...args) =>
      right(...args).catch(() => {
        throw new TypeError('aborted');
      }),
};

/** A store whose readers break the promise of `signal` in every way, in one of their methods. */
export function brokenSignals<Name extends keyof StoreReaders>(name: Name, method: keyof StoreReaders[Name], noticedBy: string): BrokenStore[] {
  return Object.entries(BROKEN_SIGNALS).map(([how, change]) => ({
    name: `${name}.${String(method)} ${how}`,
    breaks: withReader(name, method, change),
    noticedBy,
  }));
}
