import { UnavailableError } from '@vitrine/core';
import { CONNECTION_LIMITS } from '../serving/connections.js';
import { TimerDeadlines } from '../serving/computations.js';
import type { Exchange } from '../serving/exchange.js';
import { LONGEST_WAIT_MS, siteEndpoints } from './site.js';
import type { PageContext } from './shared/route.js';

/** The endpoint of a picture that is drawn by a function, and a request for it, which resolves with what was sent. */
function pictureDrawnBy(draw: () => Promise<Buffer>) {
  const pages = { assets: [], logo: null, manifest: '', robots: () => '', pictures: { draw } };
  const endpoints = siteEndpoints({ pages, basePath: '', deadlines: new TimerDeadlines() } as unknown as PageContext);
  const endpoint = endpoints.find(({ path }) => path === '/apple-touch-icon.png');
  return async (): Promise<unknown> => {
    const sent: unknown[] = [];
    const exchange = { requireWithinLimits: () => undefined, sendFinished: (answer: unknown) => sent.push(answer) };
    await endpoint?.answer(exchange as unknown as Exchange, {});
    return sent[0];
  };
}

describe('a document that is the same for the life of the process', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is refused while it takes too long to make, and is made once for all requests', async () => {
    jest.useFakeTimers();
    let draw: (picture: Buffer) => void = () => undefined;
    const promise = new Promise<Buffer>((resolve) => (draw = resolve));
    let runs = 0;
    const request = pictureDrawnBy(() => {
      runs++;
      return promise;
    });
    const refused = Promise.all([1, 2].map(() => expect(request()).rejects.toThrow(UnavailableError)));
    await jest.advanceTimersByTimeAsync(LONGEST_WAIT_MS);
    await refused;
    draw(Buffer.from('picture'));
    expect(await request()).toBeDefined();
    expect(runs).toBe(1);
  });

  it('is made again after a failure', async () => {
    let runs = 0;
    const request = pictureDrawnBy(() => (++runs === 1 ? Promise.reject(new Error('no memory')) : Promise.resolve(Buffer.from('picture'))));
    await expect(request()).rejects.toThrow('no memory');
    expect(await request()).toBeDefined();
  });

  it('is refused before its connection can be reset, so that clients learn why', () => {
    expect(LONGEST_WAIT_MS).toBeLessThan(CONNECTION_LIMITS.stallMs / 2);
  });
});
