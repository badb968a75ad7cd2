import { rateOf, requireWrk } from './wrk.js';

describe('the load generator', () => {
  it('is asked for in one sentence if it is not installed', () => {
    expect(() => {
      requireWrk('a-program-that-does-not-exist');
    }).toThrow(/^This benchmark needs the load generator wrk\. Install it with "apt-get install wrk"/);
  });
});

describe('the rate of a load', () => {
  const load = { url: 'http://127.0.0.1/list', answerBytes: 500 };
  const right = { requests: 100, bytes: 50_000, seconds: 2, failed: { status: 0, timeout: 0 } };

  it('is the number of requests per second', () => {
    expect(rateOf(load, right)).toBe(50);
  });

  it('allows the bytes of an answer that is not complete at the end', () => {
    expect(rateOf(load, { ...right, bytes: 50_400 })).toBe(50);
  });

  it.each([
    ['a request has failed', { ...right, failed: { status: 1, timeout: 0 } }, 'failed requests'],
    ['the answers are shorter', { ...right, bytes: 49_000 }, 'bytes of an answer'],
    ['the answers are longer', { ...right, bytes: 51_000 }, 'bytes of an answer'],
    ['nothing was answered', { ...right, requests: 0, bytes: 0 }, 'bytes of an answer'],
  ])('is refused if %s', (_, report, message) => {
    expect(() => rateOf(load, report)).toThrow(message);
  });
});
