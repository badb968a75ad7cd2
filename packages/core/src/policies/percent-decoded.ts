/** How many bytes of UTF-8 a character with this first byte has, and the smallest code point that needs them. */
const SHAPES: readonly { readonly lead: number; readonly bytes: number; readonly least: number }[] = [
  { lead: 0xf0, bytes: 4, least: 0x1_0000 },
  { lead: 0xe0, bytes: 3, least: 0x800 },
  { lead: 0xc0, bytes: 2, least: 0x80 },
  { lead: 0, bytes: 1, least: 0 },
];
const LAST_CODE_POINT = 0x10_ffff;

/**
 * The character of one percent-encoded sequence, such as `%40`, `%C3%BC` or `%252540`; the sequence itself when its bytes are not UTF-8. It never
 * throws: `decodeURIComponent` does, and an exception for each of a million sequences takes seconds.
 *
 * @param sequence ends in two hexadecimal digits, as each of its bytes does
 */
export function percentDecoded(sequence: string): string {
  if (sequence.length === 3) return String.fromCharCode(byteBefore(sequence, 3));
  const bytes: number[] = [];
  for (let at = sequence.indexOf('%', 1); at >= 0; at = sequence.indexOf('%', at + 1)) bytes.push(byteBefore(sequence, at));
  bytes.push(byteBefore(sequence, sequence.length));
  const codePoint = codePointOf(bytes);
  return codePoint === null ? sequence : String.fromCodePoint(codePoint);
}

function byteBefore(sequence: string, end: number): number {
  return Number.parseInt(sequence.slice(end - 2, end), 16);
}

function codePointOf([first = 0, ...rest]: readonly number[]): number | null {
  const { lead, bytes, least } = SHAPES.find((shape) => first >= shape.lead) ?? { lead: 0, bytes: 0, least: 0 };
  if (rest.length !== bytes - 1) return null;
  const codePoint = rest.reduce((high, byte) => high * 0x40 + (byte & 0x3f), first - lead);
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return codePoint < least || codePoint > LAST_CODE_POINT || isSurrogate ? null : codePoint;
}
