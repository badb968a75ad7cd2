import { Allowlist, type Deadlines, UnavailableError, type UseCases } from '@vitrine/core';
import { NOW, StandingClock } from '@vitrine/core/testing';
import { PresentPlaces } from './present-places.js';
import { TimerDeadlines } from '../serving/computations.js';

const context = { approved: Allowlist.of('acme/widget').approved(), signal: new AbortController().signal };
const page = (items: readonly unknown[]) => Promise.resolve({ data: { items, services: items, incidents: { current: items } } });

/** Every list has a record, and `news` answers as the test says. */
function placesOver(
  news: () => Promise<unknown>,
  deadlines: Deadlines = new TimerDeadlines(),
  status = () => page([{}]),
  clock = new StandingClock(NOW),
): PresentPlaces {
  const others = new Map<string, () => Promise<unknown>>([
    ['getStatus', status],
    ['listNews', news],
    ['listSources', () => page([])],
  ]);
  const useCases = new Proxy({}, { get: (_, name) => ({ execute: others.get(String(name)) ?? (() => page([{}])) }) });
  return new PresentPlaces(useCases as UseCases, deadlines, clock, 1_000);
}

describe('the places that a team has', () => {
  it('are looked for by every page until all could be read', async () => {
    let answers: readonly (() => Promise<unknown>)[] = [() => Promise.reject(new UnavailableError())];
    const places = placesOver(() => (answers[0] ?? (() => page([{}])))());
    await places.read(context);
    expect(places.current.has('news')).toBe(false);
    answers = [];
    await Promise.all([places.read(context), places.read(context)]);
    expect(places.current.has('news')).toBe(true);
  });

  it('are all, or those that are known, if they cannot be read in time', async () => {
    const atOnce: Deadlines = { run: (_milliseconds, signal, call) => new TimerDeadlines().run(0, signal, call) };
    let hangs = true;
    const places = placesOver(() => (hangs ? new Promise(() => undefined) : page([])), atOnce);
    await places.read(context);
    expect(places.current.has('news')).toBe(true);
    hangs = false;
    await places.read(context);
    hangs = true;
    await places.read(context);
    expect([places.current.has('news'), places.current.has('commits')]).toEqual([false, true]);
  });

  it.each([
    ['a service', [{}], [], true],
    ['an incident that is not over', [], [{}], true],
    ['neither', [], [], false],
  ])('have a status with %s', async (_what, services, current, expected) => {
    const places = placesOver(
      () => page([]),
      undefined,
      () => Promise.resolve({ data: { items: [], services, incidents: { current } } }),
    );
    await places.read(context);
    expect(places.current.has('status')).toBe(expected);
  });

  it('stay if a slower page could not read them', async () => {
    let fail: (error: Error) => void = () => undefined;
    const answers = [() => new Promise((_, reject) => (fail = reject))];
    const places = placesOver(() => (answers.pop() ?? (() => page([{}])))());
    const first = places.read(context);
    await new Promise((resolve) => setImmediate(resolve));
    await places.read(context);
    expect(places.current.has('news')).toBe(true);
    fail(new UnavailableError());
    await first;
    expect(places.current.has('news')).toBe(true);
  });

  it('are looked for again after a write, and after a while', async () => {
    const clock = new StandingClock(NOW);
    let [looks, found] = [0, [] as readonly unknown[]];
    const news = () => {
      looks += 1;
      return page(found);
    };
    const places = placesOver(news, undefined, undefined, clock);
    const look = async (): Promise<unknown> => {
      await places.read(context);
      return [looks, places.current.has('news')];
    };
    expect([await look(), await look()]).toEqual([
      [1, false],
      [1, false],
    ]);
    places.forget();
    expect([await look(), await look()]).toEqual([
      [2, false],
      [2, false],
    ]);
    found = [{}];
    clock.set(NOW + 1_000);
    expect(await look()).toEqual([3, true]);
    places.forget();
    expect(await look()).toEqual([3, true]);
  });

  it('are looked for again under another permission, until all could be read', async () => {
    const other = { ...context, approved: Allowlist.of('acme/other').approved() };
    const answers = [() => page([{}]), () => Promise.reject(new UnavailableError()), () => page([])];
    const places = placesOver(() => (answers.pop() ?? (() => page([])))());
    for (const [permission, hasNews] of [
      [context, false],
      [other, false],
      [other, true],
    ] as const) {
      await places.read(permission);
      expect(places.current.has('news')).toBe(hasNews);
    }
  });

  it('are looked for again after a write that came while they were read', async () => {
    let hear = (): void => undefined;
    let found: readonly unknown[] = [];
    const places = placesOver(() => {
      hear();
      return page(found);
    });
    hear = () => places.forget();
    await places.read(context);
    found = [{}];
    await places.read(context);
    expect(places.current.has('news')).toBe(true);
  });
});
