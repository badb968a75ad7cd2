import type { Answer, Deadlines } from '@vitrine/core';
import { PageParts } from './page.js';

const deadlines: Deadlines = { run: (_milliseconds, signal, call) => call(signal) };

/** The warnings of a page whose parts end in this order. */
async function warningsOf(sources: readonly string[]): Promise<readonly unknown[]> {
  const parts = new PageParts(deadlines, new AbortController().signal);
  for (const source of sources) {
    const warnings = [{ code: 'SOURCE_LATE', source, detail: `${source} is late` }];
    await parts.read(source, () => Promise.resolve({ data: {}, dataStatus: 'stale', warnings, changesAt: null } as unknown as Answer<unknown>));
  }
  return parts.currency.warnings.map(({ source }) => source);
}

describe('the parts of a page', () => {
  it('give the same warnings in whatever order they end', async () => {
    expect(await warningsOf(['news', 'check', 'news', 'commit'])).toEqual(await warningsOf(['commit', 'news', 'check']));
    expect(await warningsOf(['news', 'check'])).toHaveLength(2);
  });
});
