import type { Exchange } from '../serving/exchange.js';
import type { FinishedAnswer } from '../serving/finished-answer.js';
import { getProblemRoute, plainEndpoint } from './plain.js';
import type { PlainContext } from './shared/route.js';

describe('an address without envelope', () => {
  it('is kept once, however its path is spelt, so that spellings cannot fill the memory', async () => {
    const endpoint = plainEndpoint(getProblemRoute, { basePath: '', hasPages: false } as PlainContext);
    const sent = new Set<FinishedAnswer>();
    for (const path of ['/problems/not-found', '/problems/%6eot-found', '/problems/%6Eot-found', '/problems/n%6ft-found']) {
      const exchange = { path, query: '', requireWithinLimits: () => undefined, sendFinished: (answer: FinishedAnswer) => void sent.add(answer) };
      await endpoint.answer(exchange as unknown as Exchange, { slug: 'not-found' });
    }
    expect([...sent].map(({ body }) => body.toString().split('\n', 1)[0])).toEqual(['NOT_FOUND (404)']);
  });
});
