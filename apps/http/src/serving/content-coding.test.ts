import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { codingFor, compressed, type Coding } from './finished-answer.js';

const LONG = 1_024;

describe('the coding of a body', () => {
  it.each<{ readonly accepted: string | undefined; readonly coding: Coding }>([
    { accepted: undefined, coding: 'identity' },
    { accepted: '', coding: 'identity' },
    { accepted: ' ', coding: 'identity' },
    { accepted: 'gzip', coding: 'gzip' },
    { accepted: 'br', coding: 'br' },
    { accepted: 'gzip, deflate, br, zstd', coding: 'br' },
    { accepted: 'gzip,br', coding: 'br' },
    { accepted: '*', coding: 'br' },
    { accepted: 'gzip, *', coding: 'br' },
    { accepted: 'gzip, *;q=0', coding: 'gzip' },
    { accepted: '*;q=0', coding: 'identity' },
    { accepted: 'identity', coding: 'identity' },
    { accepted: 'identity;q=0', coding: 'identity' },
    { accepted: 'identity;q=0, gzip;q=0.001', coding: 'gzip' },
    { accepted: 'deflate, zstd', coding: 'identity' },
    { accepted: 'br;q=0, gzip;q=0', coding: 'identity' },
    { accepted: 'br;q=0.5, gzip', coding: 'gzip' },
    { accepted: 'br;q=0.5, gzip;q=0.5', coding: 'br' },
    { accepted: 'br;q=0.5, gzip;q=0.501', coding: 'gzip' },
    { accepted: 'br;q=0.5, *;q=0.7', coding: 'gzip' },
    { accepted: 'br;q=0, *', coding: 'gzip' },
    { accepted: 'gzip;q=0.5, identity', coding: 'identity' },
    { accepted: 'gzip;q=0.5, identity;q=0.4', coding: 'gzip' },
    { accepted: 'gzip;q=0.5, deflate;q=0.2', coding: 'gzip' },
    { accepted: 'GZip', coding: 'gzip' },
    { accepted: 'BR;Q=0, gzip', coding: 'gzip' },
    { accepted: '\tgzip\t;\tq=1.000\t,\tbr ; q=0.000', coding: 'gzip' },
    { accepted: ', ,gzip,,', coding: 'gzip' },
    { accepted: 'gzipped, xbr', coding: 'identity' },
    { accepted: 'gzip;q=none', coding: 'identity' },
  ])('is $coding for $accepted', ({ accepted, coding }) => {
    expect(codingFor(accepted, LONG)).toBe(coding);
  });

  it('is identity below 1,024 bytes', () => {
    expect(['br', '*', 'identity;q=0, gzip'].map((accepted) => codingFor(accepted, LONG - 1))).toEqual(['identity', 'identity', 'identity']);
    expect(codingFor('br', LONG)).toBe('br');
  });

  it('is the one that the standard rates highest, and acceptable if any is', () => {
    fc.assert(
      fc.property(anyHeader, ({ ratings, text }) => {
        const chosen = codingFor(text, LONG);
        const [quality, ...others] = [chosen, ...CODINGS].map((coding) => qualityOf(coding, ratings));
        if (others.every((other) => other === 0)) expect(chosen).toBe('identity');
        else
          expect({ text, chosen, isAcceptable: quality !== 0, isBest: others.every((other) => (quality ?? 0) >= (other ?? 0)) }).toEqual({
            text,
            chosen,
            isAcceptable: true,
            isBest: true,
          });
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 500 : 20 },
    );
  });

  it('is compressed rather than not if the header rates both alike or does not rate the uncompressed form', () => {
    fc.assert(
      fc.property(anyHeader, ({ ratings, text }) => {
        const best = Math.max(...COMPRESSED.map((coding) => qualityOf(coding, ratings) ?? 0));
        const unchanged = qualityOf('identity', ratings);
        expect({ text, isCompressed: codingFor(text, LONG) !== 'identity' }).toEqual({ text, isCompressed: best > 0 && best >= (unchanged ?? 0) });
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 500 : 20 },
    );
  });

  it('is found for any text', () => {
    const piece = fc.constantFrom(...'gzip br identity * , ; q = 0 1 . " \\ \t é'.split(' '), ' ');
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: piece, maxLength: 40 })), (text) => {
        expect(['br', 'gzip', 'identity']).toContain(codingFor(text, LONG));
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 1_000 : 20 },
    );
  });
});

const CODINGS = ['br', 'gzip', 'identity'] as const;
const COMPRESSED = ['br', 'gzip'] as const;

/** Qualities by lower-case coding or `*`. */
type Ratings = ReadonlyMap<string, number>;

/**
 * RFC 9110, 12.5.3, read slowly: a coding that is listed has the quality that is given there; otherwise `*` gives it; otherwise only identity is acceptable,
 * and it has no quality (`null`).
 */
function qualityOf(coding: Coding, ratings: Ratings): number | null {
  return ratings.get(coding) ?? ratings.get('*') ?? (coding === 'identity' ? null : 0);
}

const space = fc.constantFrom('', ' ', '\t', '  ');
const weight = fc.constantFrom('', 'q=0', 'q=0.0', 'q=0.001', 'q=0.3', 'q=0.30', 'q=0.7', 'Q=0.7', 'q=1', 'q=1.000', 'q=0.999');
const rated = fc.record({
  coding: fc.constantFrom('gzip', 'GZIP', 'br', 'Br', 'identity', 'Identity', '*', 'deflate', 'zstd'),
  weight,
  spaces: fc.tuple(space, space, space, space),
});

/** A valid header that names no coding twice, and what it says. */
const anyHeader = fc.uniqueArray(rated, { minLength: 1, maxLength: 6, selector: ({ coding }) => coding.toLowerCase() }).map((entries) => ({
  ratings: new Map(entries.map((entry) => [entry.coding.toLowerCase(), entry.weight === '' ? 1 : Number(entry.weight.slice(2))])),
  text: entries
    .map((entry) => {
      const [before, behind, inside, after] = entry.spaces;
      return `${before}${entry.coding}${entry.weight === '' ? '' : `${behind};${inside}${entry.weight}`}${after}`;
    })
    .join(','),
}));

describe.each(COMPRESSED)('a body in %s', (coding) => {
  const decompress = coding === 'br' ? brotliDecompressSync : gunzipSync;

  it('holds the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }), fc.integer({ min: 1, max: 3_000 }), async (text, times) => {
        const body = Buffer.from(text.repeat(times));
        expect(decompress(await compressed(coding, body)).equals(body)).toBe(true);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 200 : 12 },
    );
  });

  it('is made at once up to 64 KiB, and later if it is longer', async () => {
    expect(Buffer.isBuffer(compressed(coding, Buffer.alloc(65_536, 'a')))).toBe(true);
    const later = compressed(coding, Buffer.alloc(65_537, 'a'));
    expect(Buffer.isBuffer(later)).toBe(false);
    expect(decompress(await later)).toHaveLength(65_537);
  });

  it.each([2_000, 100_000])('of %p bytes keeps no more memory than its length', async (length) => {
    const bytes = await compressed(coding, Buffer.alloc(length, 'text '));
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });
});
