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

const UNSEEN = '\u200b';
/** The named entities that addresses are written with, in lower case, each before its character. */
const WRITTEN = String.raw`
  commat @ period . lowbar _ underbar _ hyphen - dash - plus + percnt % amp & num # excl ! dollar $ ast * midast * sol / bsol \ equals = quest ?
  hat ^ lcub { lbrace { rcub } rbrace } lsqb [ lbrack [ rsqb ] rbrack ] vert | verbar | verticalline | apos ' quot " colon : semi ; lt < gt >
  szlig ß aelig æ oelig œ`;
/** Those of characters that nobody sees. */
const HIDDEN = `shy zwnj zwj lrm rlm zerowidthspace negativeverythinspace negativethinspace negativemediumspace negativethickspace nobreak
  applyfunction af invisibletimes it invisiblecomma ic`;
const NAMED = new Map([
  ...[...WRITTEN.matchAll(/\b(\w+) (\S)/gu)].map(([, name = '', character = '']): [string, string] => [name, character]),
  ...HIDDEN.split(/\s+/).map((name): [string, string] => [name, UNSEEN]),
  ['nbsp', ' '],
  ['grave', '`'],
]);
/** A letter with its accent: whichever it is, it is part of a name. */
const ACCENTED = /^([a-z])(?:acute|breve|caron|cedil|circ|dblac|dot|grave|macr|ogon|ring|slash|strok|tilde|uml)$/i;

/** The character of an entity such as `&#64;`, `&commat;` or `&amp;#64;`; the entity itself when it is not one that addresses are written with. */
export function entityDecoded(entity: string): string {
  const name = entity.replace(/&(?:amp;)*/i, '').replace(/;$/, '');
  if (name === '') return '&';
  if (!name.startsWith('#')) return NAMED.get(name.toLowerCase()) ?? ACCENTED.exec(name)?.[1] ?? entity;
  const code = Number(name.slice(1).replace(/^x/i, '0x'));
  return code > LAST_CODE_POINT ? entity : String.fromCodePoint(code);
}
