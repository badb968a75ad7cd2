import { connectionLimit, descriptorLimit } from './serve.js';

const limits = (open: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax processes             96365                96365                processes \nMax open files            ${open} 1048576              files     \nMax locked memory         8388608              8388608              bytes     \n`;

describe('the limit of connections', () => {
  it.each([
    [1_048_576, 20_000],
    [Infinity, 20_000],
    [20_512, 20_000],
    [20_000, 19_488],
    [4_096, 3_584],
    [1_024, 512],
    [600, 300],
    [64, 32],
  ])('leaves descriptors for files where %d may be open', (descriptors, connections) => {
    expect(connectionLimit(descriptors)).toBe(connections);
  });

  it('reads the soft limit of the process', () => {
    expect(descriptorLimit(limits('4096                '))).toBe(4_096);
    expect(descriptorLimit(limits('unlimited           '))).toBe(Infinity);
  });

  it.each(['', limits('many                ')])('assumes 10,240 where the system does not say', (text) => {
    expect(descriptorLimit(text)).toBe(10_240);
  });
});
