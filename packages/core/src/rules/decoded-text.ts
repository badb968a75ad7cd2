const LAST_CODE_POINT = 0x10_ffff;
/** The UTF-8 of one character. `decodeURIComponent` throws for other bytes, and an exception for each of a million sequences takes seconds. */
const UTF_8 = /^%(?:[0-7].|(?:c[2-9a-f]|d.)%..|e0%[ab].%..|(?:e[1-9abcef])%..%..|ed%[89].%..|f0%[9ab].%..%..|f[1-3]%..%..%..|f4%8.%..%..)$/i;

/**
 * The character of one percent-encoded sequence, such as `%40`, `%C3%BC` or `%252540`; the sequence itself when its bytes are not UTF-8.
 *
 * @param sequence bytes of two hexadecimal digits, of which all but the first continue a character. Each `%` may be encoded again
 */
export function percentDecoded(sequence: string): string {
  const encoded = sequence.replace(/%(?:25)+(?=[0-9a-f]{2})/gi, '%');
  return UTF_8.test(encoded) ? decodeURIComponent(encoded) : sequence;
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
