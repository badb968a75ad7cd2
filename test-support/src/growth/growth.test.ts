import { patternsOf, requireLinearGrowth, type Pattern } from './growth.js';

const LETTERS: Pattern = { name: 'letters', input: (length) => 'a'.repeat(length) };

const LENGTH = 1_000;

let usedMs = 0;
beforeEach(() => {
  jest.spyOn(process, 'cpuUsage').mockImplementation((before) => ({ user: usedMs * 1_000 - (before?.user ?? 0), system: 0 }));
});
afterEach(() => jest.restoreAllMocks());

/** Takes this much processor time for the whole length, and for other lengths a time that grows with this power. */
const work = (wholeMs: number, power: number) => (text: string) => {
  usedMs += wholeMs * (text.length / LENGTH) ** power;
};

describe('requireLinearGrowth', () => {
  it('accepts linear work, and what takes no time worth mentioning', () => {
    requireLinearGrowth(work(130, 1), LETTERS, LENGTH);
    requireLinearGrowth(work(50, 2), LETTERS, LENGTH);
  });

  it('refuses quadratic work, also of a call that throws', () => {
    const refuse = (text: string): never => {
      work(200, 2)(text);
      throw new Error('no');
    };
    expect(() => {
      requireLinearGrowth(refuse, LETTERS, LENGTH);
    }).toThrow(/^letters: the CPU time grows too fast: .* characters/);
  });
});

describe('patternsOf', () => {
  it('repeats pieces and pairs, counts, and nests', () => {
    const patterns = patternsOf({ frame: ['{', '}'], pieces: ['a', '#,'], brackets: [['[', ']']] });
    expect(patterns.map(({ input }) => input(4))).toEqual(['{aaaa}', '{0,1,}', '{a0,a1,}', '{0,a1,a}', '{[[]]}', '{[[[[[}']);
    expect(patterns.map(({ name }) => name)).toContain('"[" nested');
  });
});
