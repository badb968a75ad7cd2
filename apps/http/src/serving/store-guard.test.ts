import { KINDS, LISTED_KINDS, type NewsReader, NotFoundError, SECOND, type StoreReaders, UnavailableError } from '@vitrine/core';
import { NOW, StandingClock } from '@vitrine/core/testing';
import { StoreGuard, type StoreHealth } from './store-guard.js';
import { TimerDeadlines } from './computations.js';

const query = { limit: 1, after: null, from: null, to: NOW, source: null };
const context = () => ({ signal: new AbortController().signal });

/** A guard before a store whose news are read as told. */
function guarding(list: NewsReader['list'], health: StoreHealth = { state: 'ready' }) {
  const clock = new StandingClock(NOW);
  const changes: string[] = [];
  const nothing = { list: () => Promise.resolve({ items: [], next: null }) };
  const store = new Proxy({}, { get: (_, name) => (name === 'news' ? { list, byId: () => Promise.resolve(null) } : nothing) }) as StoreReaders;
  const guard = new StoreGuard(store, {
    health,
    clock,
    deadlines: new TimerDeadlines(),
    onChange: (reader, isOpen) => changes.push(`${reader} ${isOpen ? 'open' : 'closed'}`),
  });
  return { clock, guard, changes, read: () => guard.readers.news.list(query, context()) };
}

const EMPTY = { items: [], next: null };

describe('StoreGuard', () => {
  it('returns what the reader returns, and calls it as a method', async () => {
    class Reader implements NewsReader {
      readonly #page = EMPTY;
      list = () => Promise.resolve(this.#page);
      byId(): Promise<null> {
        return Promise.resolve(this.#page.next);
      }
    }
    const reader = new Reader();
    const { guard } = guarding(reader.list);
    const own = new StoreGuard({ ...guard.readers, news: reader }, { ...parts(), health: { state: 'ready' } });
    expect([await own.readers.news.list(query, context()), await own.readers.news.byId('x', context())]).toEqual([EMPTY, null]);
  });

  it('gives the reader of every kind a circuit of its own', async () => {
    const clock = new StandingClock(NOW);
    const changes: string[] = [];
    const plurals = LISTED_KINDS.map((kind) => KINDS[kind].plural);
    const list = () => {
      clock.set(clock.now() + 500);
      return Promise.reject(new UnavailableError());
    };
    const store = Object.fromEntries(plurals.map((plural) => [plural, { list }])) as unknown as StoreReaders;
    const guard = new StoreGuard(store, { ...parts(), clock, health: { state: 'ready' }, onChange: (reader) => changes.push(reader) });
    for (const [index, plural] of plurals.entries()) {
      for (let times = 0; times < 3; times++) {
        const reader: { readonly list: (...args: never) => Promise<unknown> } = guard.readers[plural];
        await expect(Reflect.apply(reader.list, reader, [context()])).rejects.toThrow(UnavailableError);
      }
      expect(changes).toEqual(plurals.slice(0, index + 1));
    }
  });

  it('counts a failure that took half a second as a timeout, but not a quick one', async () => {
    const took = { ms: 499 };
    const { clock, changes, read } = guarding(() => {
      clock.set(clock.now() + took.ms);
      return Promise.reject(new UnavailableError());
    });
    for (let times = 0; times < 5; times++) await expect(read()).rejects.toThrow(UnavailableError);
    expect(changes).toEqual([]);
    took.ms = 500;
    for (let times = 0; times < 3; times++) await expect(read()).rejects.toThrow(UnavailableError);
    expect(changes).toEqual(['news open']);
  });

  it('counts a domain error as an answer', async () => {
    const { guard, read } = guarding(() => Promise.reject(new NotFoundError()));
    await expect(read()).rejects.toThrow(NotFoundError);
    expect(guard.isFailing).toBe(false);
  });

  it('admits another trial after a reader throws in a trial', async () => {
    const told = { list: (): ReturnType<NewsReader['list']> => Promise.reject(new UnavailableError()) };
    const { clock, changes, read } = guarding(() => told.list());
    told.list = () => {
      clock.set(clock.now() + 600);
      throw new TypeError('not a promise');
    };
    for (let times = 0; times < 3; times++) await expect(read()).rejects.toThrow(TypeError);
    clock.set(clock.now() + SECOND);
    await expect(read()).rejects.toThrow(TypeError);
    told.list = () => Promise.resolve(EMPTY);
    await expect(read()).rejects.toThrow(UnavailableError);
    clock.set(clock.now() + SECOND);
    expect([await read(), changes]).toEqual([EMPTY, ['news open', 'news closed']]);
  });

  it('limits a trial to three quarters of a second', async () => {
    const told = { isHanging: false };
    const { clock, read } = guarding(() => {
      if (told.isHanging) return new Promise(() => undefined);
      clock.set(clock.now() + 500);
      return Promise.reject(new UnavailableError());
    });
    for (let times = 0; times < 3; times++) await expect(read()).rejects.toThrow(UnavailableError);
    clock.set(clock.now() + SECOND);
    told.isHanging = true;
    const startedAt = performance.now();
    await expect(read()).rejects.toThrow(UnavailableError);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(740);
  });

  it('calls no reader before the store is connected, and none for a caller that has left', async () => {
    let calls = 0;
    const list = () => {
      calls += 1;
      return Promise.resolve(EMPTY);
    };
    await expect(guarding(list, { state: 'connecting' }).read()).rejects.toThrow(UnavailableError);
    const { guard } = guarding(list);
    await expect(guard.readers.news.list(query, { signal: AbortSignal.abort() })).rejects.toThrow(UnavailableError);
    expect([calls, guard.isFailing]).toEqual([0, false]);
  });
});

function parts() {
  return { clock: new StandingClock(NOW), deadlines: new TimerDeadlines(), onChange: () => undefined };
}
