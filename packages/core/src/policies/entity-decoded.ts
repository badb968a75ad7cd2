const UNSEEN = '\u200b';
/** The named entities that addresses are written with, in lower case. */
const NAMED = new Map([
  ['commat', '@'],
  ['period', '.'],
  ['lowbar', '_'],
  ['underbar', '_'],
  ['hyphen', '-'],
  ['dash', '-'],
  ['plus', '+'],
  ['percnt', '%'],
  ['amp', '&'],
  ['num', '#'],
  ['excl', '!'],
  ['dollar', '$'],
  ['ast', '*'],
  ['midast', '*'],
  ['sol', '/'],
  ['bsol', '\\'],
  ['equals', '='],
  ['quest', '?'],
  ['hat', '^'],
  ['grave', '`'],
  ['lcub', '{'],
  ['lbrace', '{'],
  ['rcub', '}'],
  ['rbrace', '}'],
  ['lsqb', '['],
  ['lbrack', '['],
  ['rsqb', ']'],
  ['rbrack', ']'],
  ['vert', '|'],
  ['verbar', '|'],
  ['verticalline', '|'],
  ['apos', "'"],
  ['quot', '"'],
  ['colon', ':'],
  ['semi', ';'],
  ['lt', '<'],
  ['gt', '>'],
  ['nbsp', ' '],
  ['szlig', 'ß'],
  ['aelig', 'æ'],
  ['oelig', 'œ'],
  ...[
    'shy',
    'zwnj',
    'zwj',
    'lrm',
    'rlm',
    'zerowidthspace',
    'negativeverythinspace',
    'negativethinspace',
    'negativemediumspace',
    'negativethickspace',
    'nobreak',
    'applyfunction',
    'af',
    'invisibletimes',
    'it',
    'invisiblecomma',
    'ic',
  ].map((name): [string, string] => [name, UNSEEN]),
]);
/** A letter with its accent: whichever it is, it is part of a name. */
const ACCENTED = /^([a-z])(?:acute|breve|caron|cedil|circ|dblac|dot|grave|macr|ogon|ring|slash|strok|tilde|uml)$/i;
const LAST_CODE_POINT = 0x10_ffff;

/** The character of an entity such as `&#64;`, `&commat;` or `&amp;#64;`; the entity itself when it is not one that addresses are written with. */
export function entityDecoded(entity: string): string {
  const name = entity.replace(/&(?:amp;)*/i, '').replace(/;$/, '');
  if (name === '') return '&';
  if (!name.startsWith('#')) return NAMED.get(name.toLowerCase()) ?? ACCENTED.exec(name)?.[1] ?? entity;
  const code = Number(name.slice(1).replace(/^x/i, '0x'));
  return code > LAST_CODE_POINT ? entity : String.fromCodePoint(code);
}
