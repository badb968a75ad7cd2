import type { LookupAddress } from 'node:dns';
import { limitedResolve, systemResolve } from './guarded-lookup.js';

describe('limitedResolve', () => {
  it('runs a limited number of lookups at a time, shares those for one name, and goes on after a failure', async () => {
    const asked: string[] = [];
    const ends: ((address: LookupAddress | null) => void)[] = [];
    const resolve = limitedResolve((hostname) => {
      asked.push(hostname);
      return new Promise((resolved, rejected) => {
        ends.push((address) => (address === null ? rejected(new Error('no')) : resolved([address])));
      });
    }, 2);
    const answers = ['a', 'b', 'c', 'a', 'c'].map((name) => resolve(name).catch(String));
    await Promise.resolve();
    expect(asked).toEqual(['a', 'b']);
    ends[0]?.(null);
    ends[1]?.({ address: '192.0.2.1', family: 4 });
    expect(await answers[0]).toBe('Error: no');
    expect(await answers[3]).toBe('Error: no');
    while (asked.length < 3) await new Promise((next) => setTimeout(next, 5));
    ends[2]?.({ address: '192.0.2.2', family: 4 });
    expect(await Promise.all(answers.slice(1))).toEqual([
      [{ address: '192.0.2.1', family: 4 }],
      [{ address: '192.0.2.2', family: 4 }],
      'Error: no',
      [{ address: '192.0.2.2', family: 4 }],
    ]);
    expect(asked).toEqual(['a', 'b', 'c']);
    // A later call looks the name up again.
    const again = resolve('a');
    while (asked.length < 4) await new Promise((next) => setTimeout(next, 5));
    ends[3]?.({ address: '192.0.2.3', family: 4 });
    expect(await again).toEqual([{ address: '192.0.2.3', family: 4 }]);
  });
});

describe('systemResolve', () => {
  it('resolves a name of this machine', async () => {
    expect((await systemResolve('localhost')).map(({ address }) => address)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/)]),
    );
  });
});
