import { patternsOf, requireLinearGrowth, type Pattern } from './growth.js';

const LETTERS: Pattern = { name: 'letters', input: (length) => 'a'.repeat(length) };

/** Takes a time that grows with this power of the length. */
const work = (power: number) => (text: string) => {
  let sum = 0;
  for (let index = 0; index < (text.length / 1_000) ** power; index++) sum += Math.sqrt(index);
  return sum;
};

describe('requireLinearGrowth', () => {
  it('accepts linear work and what takes no time at all, and refuses quadratic work', () => {
    requireLinearGrowth((text) => work(1)('a'.repeat(text.length)), LETTERS, 2_000_000);
    requireLinearGrowth(work(2), LETTERS, 10_000);
    expect(() => {
      requireLinearGrowth(work(2), LETTERS, 12_000_000);
    }).toThrow(/^letters: the CPU time grows too fast: .* characters/);
  });

  it('measures refusals', () => {
    const refuse = (text: string): never => {
      work(2)(text);
      throw new Error('no');
    };
    expect(() => {
      requireLinearGrowth(refuse, LETTERS, 12_000_000);
    }).toThrow(/grows too fast/);
  });
});

describe('patternsOf', () => {
  it('repeats pieces and pairs, counts, and nests', () => {
    const patterns = patternsOf({ frame: ['{', '}'], pieces: ['a', '#,'], brackets: [['[', ']']] });
    expect(patterns.map(({ input }) => input(4))).toEqual(['{aaaa}', '{0,1,}', '{a0,a1,}', '{0,a1,a}', '{[[]]}', '{[[[[[}']);
    expect(patterns.map(({ name }) => name)).toContain('"[" nested');
  });
});
