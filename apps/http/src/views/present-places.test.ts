import { Allowlist, UnavailableError, type UseCases } from '@vitrine/core';
import { PresentPlaces } from './present-places.js';
import type { Call } from './shared/endpoint.js';

const approved = Allowlist.of('acme/widget').approved();
const call = { context: () => ({ approved, signal: new AbortController().signal }) } as unknown as Call<unknown>;
const page = (items: readonly unknown[]) => Promise.resolve({ data: { items, services: items } });

/** Every list has a record, and `news` answers as the test says. */
function placesOver(news: () => Promise<unknown>): PresentPlaces {
  const others = new Map<string, () => Promise<unknown>>([
    ['listNews', news],
    ['listSources', () => page([])],
  ]);
  const useCases = new Proxy({}, { get: (_, name) => ({ execute: others.get(String(name)) ?? (() => page([{}])) }) });
  return new PresentPlaces(useCases as UseCases, false);
}

describe('the places that a team has', () => {
  it('are looked for by every page until all could be read', async () => {
    let answers: readonly (() => Promise<unknown>)[] = [() => Promise.reject(new UnavailableError())];
    const places = placesOver(() => (answers[0] ?? (() => page([{}])))());
    await places.read(call);
    expect(places.current.has('news')).toBe(false);
    answers = [];
    await Promise.all([places.read(call), places.read(call)]);
    expect(places.current.has('news')).toBe(true);
  });

  it('stay if a slower page could not read them', async () => {
    let fail: (error: Error) => void = () => undefined;
    const answers = [() => new Promise((_, reject) => (fail = reject))];
    const places = placesOver(() => (answers.pop() ?? (() => page([{}])))());
    const first = places.read(call);
    await new Promise((resolve) => setImmediate(resolve));
    await places.read(call);
    expect(places.current.has('news')).toBe(true);
    fail(new UnavailableError());
    await first;
    expect(places.current.has('news')).toBe(true);
  });
});
