import type { ReadContext, RecordStore, StoreReaders, SyncTimes } from '@vitrine/core';

/** A store that breaks one documented promise, and the case that must detect it. */
export interface BrokenStore {
  readonly name: string;
  readonly breaks: (store: RecordStore) => RecordStore;
  /** The name of the case. */
  readonly noticedBy: string;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- A broken method takes and returns values that the types of its port forbid.
export type Loose = any;

export type Method = (...args: Loose[]) => Loose;

/** What each sync record says beside its id and its scope. */
export const SYNC_FIELDS = [
  'sourceType',
  'label',
  'feeds',
  'intervalMs',
  'firstAttemptAt',
  'lastAttemptAt',
  'lastSuccessAt',
  'lastFailureAt',
  'lastFailureCode',
] as const satisfies readonly (keyof SyncTimes)[];

/** The same object with replaced methods. Each replacement receives the original method, bound. */
function withMethods<Target extends object>(target: Target, changes: Readonly<Record<string, (right: Method) => Method>>): Target {
  const changed = new Map<string | symbol, Method>();
  for (const [name, change] of Object.entries(changes))
    changed.set(
      name,
      change((...args) => Reflect.apply(Reflect.get(target, name) as Method, target, args)),
    );
  return new Proxy(target, {
    get(inner, name) {
      const value: unknown = Reflect.get(inner, name);
      return changed.get(name) ?? (typeof value === 'function' ? value.bind(inner) : value);
    },
  });
}

/** A store in which one method of one reader is replaced. */
export function withReader<Name extends keyof StoreReaders>(
  name: Name,
  method: keyof StoreReaders[Name] & string,
  change: (right: Method) => Method,
) {
  return withReaderMethod(name, method, change);
}

/** The same for a reader of any kind. */
export function withReaderMethod(name: keyof StoreReaders, method: string, change: (right: Method) => Method) {
  return (store: RecordStore): RecordStore =>
    withPart(store, 'readers', {
      ...store.readers,
      [name]: withMethods(store.readers[name], { [method]: change }),
    });
}

/** A store in which one method of its writer, or of its collection reader, is replaced. */
export function withWriter(method: keyof RecordStore['writer'], change: (right: Method) => Method) {
  return (store: RecordStore): RecordStore => withPart(store, 'writer', withMethods(store.writer, { [method]: change }));
}

export function withCollection(method: keyof RecordStore['collection'], change: (right: Method) => Method) {
  return (store: RecordStore): RecordStore => withPart(store, 'collection', withMethods(store.collection, { [method]: change }));
}

function withPart<Part extends keyof RecordStore>(store: RecordStore, part: Part, value: RecordStore[Part]): RecordStore {
  return { ...store, [part]: value };
}

/** Simulates a slow database: it never responds before a timer has run. */
const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 1));

const never = new AbortController().signal;

/** The ways to break the promise of `signal`. The context is the last argument of every method of a port. */
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

/** A store in which one method of the readers breaks the promise of `signal`, in each of these ways. */
export function brokenSignals<Name extends keyof StoreReaders>(
  name: Name,
  method: keyof StoreReaders[Name] & string,
  noticedBy: string,
): BrokenStore[] {
  return Object.entries(BROKEN_SIGNALS).map(([how, change]) => ({
    name: `${name}.${method} ${how}`,
    breaks: withReader(name, method, change),
    noticedBy,
  }));
}

const READS = ['list', 'byId', 'bySha', 'byKey', 'byRefs', 'unresolved', 'evidence', 'days', 'search'];

/** A store in which every method of its readers is replaced. */
export function withEveryReader(store: RecordStore, change: (method: string, right: Method) => Method): RecordStore {
  const readers = Object.entries(store.readers).map(([name, reader]: [string, object]) => {
    const own = READS.filter((method) => Reflect.has(reader, method));
    return [name, withMethods(reader, Object.fromEntries(own.map((method) => [method, (right: Method) => change(method, right)])))];
  });
  return withPart(store, 'readers', Object.fromEntries(readers) as RecordStore['readers']);
}

/** The same store over a slow database. It keeps all promises. */
export function answeringSlowly(store: RecordStore): RecordStore {
  const collection = withMethods(store.collection, {
    commitBranches: slow,
    sync: slow,
    services: slow,
    checkedDays: slow,
    checksOf: slow,
  });
  const slowReaders = withEveryReader(store, (_method, right) => slow(right));
  return withPart(slowReaders, 'collection', collection);
}

function slow(right: Method): Method {
  return async (...args) => {
    const { signal } = args.at(-1) as ReadContext;
    signal.throwIfAborted();
    let stop = () => undefined as unknown;
    const aborted = new Promise<never>((_resolve, reject) => {
      stop = () => {
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop);
    });
    await Promise.race([slowly(), aborted]);
    signal.removeEventListener('abort', stop);
    return right(...args);
  };
}
