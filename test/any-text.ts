import fc from 'fast-check';

/** Halves of pairs, which are no characters by themselves. */
const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * Any of the characters of Unicode, assigned or not. It is fast-check's own unit `binary` but for its cost: that one fills a map of all 1,112,064,
 * a second and 120 MB for each file that uses it.
 */
const anyCharacter = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count),
  (character) => {
    const code = typeof character === 'string' && [...character].length === 1 ? character.codePointAt(0) : undefined;
    if (code === undefined) throw new TypeError('not one character');
    return code < SURROGATES.from ? code : code - SURROGATES.count;
  },
);

/** Text of any characters. */
export function anyText(length: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...length, unit: anyCharacter });
}
