import { Allowlist } from '@vitrine/core';
import { fixedApproval, type Asked, type Answers } from '../../serving/request.js';
import type { Exchange } from '../../serving/exchange.js';
import { documentEndpoint } from './endpoint.js';
import { NoQuery } from './parameters.js';
import { apiRoute, documentOf, HTML, type PageContext } from './route.js';

const API_ROUTE = apiRoute({
  id: 'getStatus',
  path: '/api/v1/x',
  tag: 'Status',
  summary: '',
  description: '',
  query: NoQuery,
  schema: { name: 'X' } as never,
  shows: [],
  data: 'record',
  answer: () => Promise.reject(new Error('not called')),
});

/** What a document asks the answers to compute. */
async function asked({ places }: Pick<PageContext, 'places'>, text: () => Promise<string>, run = (): void => undefined): Promise<Asked> {
  const all: Asked[] = [];
  const answers = { answer: (_exchange: unknown, one: Asked) => Promise.resolve(void all.push(one)) } as unknown as Answers;
  const approved = fixedApproval(Allowlist.of().approved());
  const outcome = { dataStatus: 'fresh', warnings: [], changesAt: null, text } as const;
  const route = documentOf<NoQuery, PageContext>(API_ROUTE, {
    path: '/x',
    type: HTML,
    answer: () => {
      run();
      return Promise.resolve(outcome);
    },
  });
  const endpoint = documentEndpoint(route, { answers, approved, basePath: '', pages: {}, places } as unknown as PageContext);
  await endpoint.answer({ query: '' } as Exchange, {});
  if (all[0] === undefined) throw new Error('nothing was asked');
  return all[0];
}

describe('a document', () => {
  it('is drawn when its time limit has ended with the last read, so that a slow machine sends it late, not an error', async () => {
    const order: string[] = [];
    const read = (): Promise<void> => Promise.resolve(void order.push('prepared'));
    const { compute } = await asked({ places: { read } }, () => Promise.resolve(`drawn ${String(order.push('drawn'))}`));
    const { data } = await compute(new AbortController().signal, () => order.push('read'));
    expect([order, data]).toEqual([['prepared', 'read', 'drawn'], 'drawn 3']);
  });

  it('is read while it is still not known where it leads to', async () => {
    let isRead = false;
    const read = () =>
      new Promise<void>((resolve) =>
        setImmediate(() => {
          if (isRead) resolve();
        }),
      );
    const { compute } = await asked(
      { places: { read } },
      () => Promise.resolve('drawn'),
      () => (isRead = true),
    );
    expect((await compute(new AbortController().signal, () => undefined)).data).toBe('drawn');
  });
});
