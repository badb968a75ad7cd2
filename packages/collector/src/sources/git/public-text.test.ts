import fc from 'fast-check';
import { sampled } from '@vitrine/test-support';
import { anyText } from '../../../../../test/any-text.js';
import { AT_ONCE_MS, hostileRepetitions, processorMs } from '../../../../../test/hostile-repetitions.js';
import { cut, publicLine, publicText, splitMessage } from './public-text.js';

describe('cut', () => {
  it('keeps a text that fits, and ends a longer one with an ellipsis', () => {
    expect(cut('abc', 3)).toBe('abc');
    expect(cut('abcd', 3)).toBe('ab…');
    expect(cut('😀😀😀', 3)).toBe('😀😀😀');
    expect(cut('😀😀😀😀', 3)).toBe('😀😀…');
  });

  it('returns a beginning of the text that is at most as long as requested', () => {
    fc.assert(
      fc.property(anyText(), fc.integer({ min: 1, max: 20 }), (text, limit) => {
        const short = cut(text, limit);
        expect([...short].length).toBe(Math.min([...text].length, limit));
        expect(short === text || text.startsWith(short.slice(0, -1))).toBe(true);
      }),
    );
  });
});

describe('publicText', () => {
  it('removes control characters except tabs and line feeds', () => {
    expect(publicText('a\u0000\u0007b\tc\r\nd\re\u007f\u0085f', 100)).toBe('ab\tc\nd\nef');
  });

  it('finds an address that is split by a control character', () => {
    expect(publicText('to ada\u0001@example\u0002.org now', 100)).toBe('to  now');
  });
});

describe('publicText of a long text', () => {
  const LIMIT = 1_000;

  it.each([0, 1, 5, 15, 16, 17])('shows no half of an address where it stops reading (%i)', (shift) => {
    const words = 'ada@example.org '.repeat(5_000).slice(shift);
    expect(publicText(words, LIMIT)).not.toMatch(/ada@|example/);
    expect(publicText(`${words.trim().replaceAll(' ', ',')}`, LIMIT)).not.toMatch(/@ex[a-z]+\.org/);
  });

  it('keeps enough for the limit', () => {
    expect(publicText('x'.repeat(20_000), LIMIT).length).toBeGreaterThan(LIMIT);
    expect(publicText('word '.repeat(20_000), LIMIT).length).toBeGreaterThan(LIMIT);
    expect(publicText('x'.repeat(LIMIT + 1), LIMIT)).toHaveLength(LIMIT + 1);
  });
});

describe('publicLine', () => {
  it('joins lines into one', () => {
    expect(publicLine('  a\tb\n\nc ', 10)).toBe('a b c');
  });
});

describe('splitMessage', () => {
  it('uses the first line as the title', () => {
    expect(splitMessage('fix: it\n\nBecause.\n  indented\n')).toEqual({ title: 'fix: it', rest: 'Because.\n  indented' });
  });

  it('does not move what is cut from the title to the rest', () => {
    const { title, rest } = splitMessage(`${'x'.repeat(1_001)}\nrest`);
    expect(title).toBe(`${'x'.repeat(999)}…`);
    expect(rest).toBe('rest');
  });

  // The message of a commit can be long, and a run reads many messages.
  it.each(
    sampled(
      hostileRepetitions(250_000).filter(({ piece }) => /[%&]/.test(piece)),
      4,
    ),
  )('reads four messages of $piece quickly', ({ text }) => {
    const took = processorMs(() => {
      for (let count = 0; count < 4; count++) splitMessage(text);
    });
    expect(took).toBeLessThan(AT_ONCE_MS);
  });
});
