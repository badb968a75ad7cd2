import fc from 'fast-check';
import { anyText } from '../../../../../test/any-text.js';
import { textOf } from './git.js';
import { MAX_TOKEN_BYTES, TokenSplitter } from './token-splitter.js';

describe('TokenSplitter', () => {
  it('returns the same tokens in whatever pieces the bytes arrive', () => {
    const token = anyText().map((text) => text.replaceAll('\0', ''));
    fc.assert(
      fc.property(fc.array(token), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (tokens, sizes) => {
        const bytes = Buffer.from(tokens.map((text) => `${text}\0`).join(''));
        const splitter = new TokenSplitter();
        const found: string[] = [];
        for (let start = 0, turn = 0; start < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          for (const piece of splitter.push(bytes.subarray(start, start + size))) found.push(piece.toString('utf8'));
          start += size;
        }
        expect(found).toEqual(tokens.map((text) => Buffer.from(text).toString('utf8')));
      }),
    );
  });

  it('returns the tokens that are whole in a piece as parts of it, also empty ones, without a copy', () => {
    const piece = Buffer.from('a\0\0bc\0d');
    const tokens = new TokenSplitter().push(piece);
    expect(tokens.map((token) => token.toString('utf8'))).toEqual(['a', '', 'bc']);
    expect(tokens.every(({ buffer }) => buffer === piece.buffer)).toBe(true);
  });

  it('drops the end of a token that is too long, and continues with the next', () => {
    const splitter = new TokenSplitter();
    const bytes = Buffer.from(`${'word '.repeat(MAX_TOKEN_BYTES)}\0next\0`);
    const tokens: Buffer[] = [];
    for (let start = 0; start < bytes.length; start += 65_536) tokens.push(...splitter.push(bytes.subarray(start, start + 65_536)));
    expect(tokens.map(({ length }) => length)).toEqual([MAX_TOKEN_BYTES, 4]);
    expect(textOf(tokens[0] ?? Buffer.alloc(0)).endsWith('word')).toBe(true);
  });
});
