import { MINUTE } from '@vitrine/core';
import { knownAddresses } from './http-probe.js';

const first = [{ address: '93.184.216.34', family: 4 }];
const second = [{ address: '93.184.216.35', family: 4 }];

describe('knownAddresses', () => {
  let now: number;
  let answer: () => Promise<typeof first>;
  const resolve = () => knownAddresses(() => answer(), { now: () => now }, 5);
  const hanging = () => new Promise<typeof first>(() => undefined);
  beforeEach(() => {
    now = Date.UTC(2026, 10, 20);
    answer = () => Promise.resolve(first);
  });

  it('returns what the lookup says', async () => {
    const resolved = resolve();
    expect(await resolved('a.example')).toBe(first);
    answer = () => Promise.resolve(second);
    expect(await resolved('a.example')).toBe(second);
  });

  it('returns the last answer for a name while its lookup waits', async () => {
    const resolved = resolve();
    await resolved('a.example');
    answer = hanging;
    expect(await resolved('a.example')).toBe(first);
  });

  it('waits for a name that was never resolved, and for one that was resolved too long ago', async () => {
    const resolved = resolve();
    const settled = (name: string) => Promise.race([resolved(name), new Promise((done) => setTimeout(done, 50, 'waits'))]);
    await resolved('a.example');
    answer = hanging;
    expect(await settled('b.example')).toBe('waits');
    now += 6 * MINUTE;
    expect(await settled('a.example')).toBe('waits');
  });

  it('reports a lookup that fails', async () => {
    const resolved = resolve();
    await resolved('a.example');
    answer = () => Promise.reject(new Error('no such name'));
    await expect(resolved('a.example')).rejects.toThrow('no such name');
  });
});
