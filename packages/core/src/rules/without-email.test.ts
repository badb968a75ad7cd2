import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { AT_ONCE_MS, hostileRepetitions, processorMs } from '../../../../test/hostile-repetitions.js';
import { holdsEmail, withoutEmail } from './without-email.js';

const vectors = JSON.parse(readFileSync(join(__dirname, '../testing/vectors/emails.json'), 'utf8')) as {
  readonly texts: readonly { readonly text: string; readonly clean: string }[];
};

const torture = process.env['VITRINE_TORTURE'] === '1';

describe('withoutEmail', () => {
  it('makes of texts what the vectors say', () => {
    expect(vectors.texts.map((vector) => ({ ...vector, clean: withoutEmail(vector.text) }))).toEqual(vectors.texts);
    expect(vectors.texts.filter(({ text, clean }) => holdsEmail(text) !== (text !== clean))).toEqual([]);
  });

  const CUT = [
    ['Co-authored-by: Ada Example <ada@example.org>', 'Co-authored-by: Ada Example'],
    ['Signed-off-by: Ada <ada@localhost>\nReviewed-by: Bob\t<b@x>', 'Signed-off-by: Ada\nReviewed-by: Bob'],
    ['<ada@example.org>', ''],
    ['mail ada@example.org, please', 'mail , please'],
    ["ada.l+tag_1%x'y-z@mail.example.co.uk.", '.'],
    ['ADA@EXAMPLE.ORG', ''],
    ['josé@example.org jose\u0301@example.org', ' '],
    ['用户@例子.公司', ''],
    ['ada@example.xn--p1ai!', '!'],
    ['ada@bücher.example', ''],
    ['𠮷野@example.org', ''],
    ['"Ada L"@example.org', ''],
    ['git@git.example', ''],
    ['write to git@git.example: we answer', 'write to : we answer'],
    ['mailto:git@git.example:acme/widget', 'mailto::acme/widget'],
    ['ssh://ada@git.example/acme/widget', 'ssh:///acme/widget'],
    ['digit@git.example:acme/widget', ':acme/widget'],
    ['ada.git@git.example:acme/widget', ':acme/widget'],
    ['git@git.example:acme/widget of ada@git.example:acme/widget', 'git@git.example:acme/widget of :acme/widget'],
    ['<ada@git.example> git@git.example:a', ' git@git.example:a'],
    ['git@git.example:ada@example.org', ':'],
    ['<git@git.example:a,ada@x>', ''],
    ['mailto:ada@example.org?subject=x', 'mailto:?subject=x'],
    ['a@b.cc,c@d.ee', ','],
    ['Ada <<ada@example.org>>', 'Ada <>'],
    ['Ada <<ada@x>bob@y>', 'Ada'],
    ['Ada <<ada@x>@y>', 'Ada'],
    ['Ada <ada@example.org', 'Ada <'],
    ['ada@example.org>', '>'],
  ];
  it('cuts addresses', () => {
    expect(CUT.map(([text = '']) => [text, withoutEmail(text)])).toEqual(CUT);
  });

  const KEPT = [
    'no address',
    "Merge branch 'master' of git@github.com:owner/name",
    'Merge remote-tracking branch of git@git.example.org:owner/name.git into main',
    'clone git@git.example.org:2222/owner/name, (git@git.example:~ada/x)',
    '<git@git.example:owner/name> `git@git.example:owner/name`',
    'git%40git.example:owner/name',
    "Merge branch 'main' of 'git@git.example:owner/name'",
    'ssh://git@git.example/owner/name ssh://git@git.example:2222/owner/name git+ssh://git@git.example/a',
    'widget@1.2.3',
    'widget@1.2.3-4',
    'acme/widget@v2.1.0',
    '@scope/package',
    'uses: actions/checkout@v4',
    'HEAD@{1}',
    'a < b@c > d',
    'Vec<String> and a@b',
    'x @ y.example',
    '<b>bold</b> @ada',
    'a@b..cc',
    'trailing@',
    '@',
    '"@"',
  ];
  it('leaves what is no address', () => {
    expect(KEPT.map((text) => withoutEmail(text))).toEqual(KEPT);
  });

  const pieces = fc.constantFrom(
    'ada',
    '@',
    '.',
    '<',
    '>',
    ' ',
    '\n',
    '\t',
    '-',
    'é',
    'e\u0301',
    '1',
    'x@y.zz',
    '<a@b>',
    'example.org',
    '"',
    '𠮷',
    '+',
    '%40',
    '%25',
    '&#64;',
    '&#',
    '64;',
    '＠',
    '\u200b',
    '[10.0.0.1]',
    'v1.beta',
    'mailto:',
    '\\',
    '&shy;',
    '%34%30',
    '<b>',
    '**',
    '`',
    '}',
    '/',
    'git@',
    ':a',
    'ssh://',
  );
  it('keeps an address of git in any text, and cuts an address beside it', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
    const host = fc.tuple(word, fc.constantFrom('example', 'com', 'org')).map((parts) => parts.join('.'));
    const place = fc.tuple(host, word, word, fc.constantFrom('', '.git'), fc.boolean()).map(([at, owner, name, end, isUrl]) => {
      const path = `${owner}/${name}${end}`;
      return isUrl ? `ssh://git@${at}/${path}` : `git@${at}:${path}`;
    });
    const around = fc.constantFrom(' ', ' of ', " '", ' (', ') ', ', ', '\n', ' `', '` ', ' <', '> ');
    const email = fc
      .tuple(
        word.filter((name) => name !== 'git'),
        host,
      )
      .map((parts) => parts.join('@'));
    fc.assert(
      fc.property(place, around, around, email, around, (git, left, right, address, last) => {
        expect(withoutEmail(`of${left}${git}${right}x`)).toBe(`of${left}${git}${right}x`);
        const both = withoutEmail(`of${left}${git} ${address}${last}`);
        expect(both).toContain(git);
        expect(both.replace(git, '')).not.toContain('@');
      }),
      { numRuns: torture ? 2_000 : 40 },
    );
  });

  const texts = fc.array(pieces, { maxLength: 14 }).map((list) => list.join(''));

  const OF_GIT = /(?:ssh:\/\/git|(?<![\p{L}\p{M}\p{N}._%+'-])git)@/gu;

  it('leaves no address, however they are put together', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(withoutEmail(text).replaceAll('@v1.beta', '').replace(OF_GIT, '')).not.toMatch(/[\p{L}\p{N}._%+'-]@(?:[\p{L}\p{N}-]+\.)+\p{L}{2}/u);
        if (!text.includes('"')) expect(withoutEmail(text).replace(OF_GIT, '')).not.toMatch(/<[^<>\s]*@[^<>\s]*>/);
      }),
      { numRuns: torture ? 5_000 : 20 },
    );
  });

  const BACKSLASH = '\\';
  const ats = fc.constantFrom('@', '%40', '%25%34%30', '&#64;', '&commat;', '&#37;40', '\uff20', '\uff0540', `${BACKSLASH}@`);
  const dots = fc.constantFrom('.', '%2e', '&period;', `${BACKSLASH}.`);
  /** What no reader sees, or sees as emphasis. */
  const unseen = fc.constantFrom('', '&shy;', '&zwnj;', '&ZeroWidthSpace;', '\u00ad', '<b>', '</b>', '<!-- -->', '**', '`');
  const lasts = fc.constantFrom('', ...'!#$&*=?^{|}~');

  it('finds an address in any mixture of its forms', () => {
    fc.assert(
      fc.property(lasts, unseen, ats, unseen, unseen, dots, unseen, (last, before, at, after, left, dot, right) => {
        const text = `by ada${last}${before}${at}${after}example${left}${dot}${right}org now`;
        expect(withoutEmail(text)).not.toMatch(/ada|example.*org/);
      }),
      { numRuns: torture ? 2_000 : 20 },
    );
  });

  it('only cuts: it adds and moves nothing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const left = [...withoutEmail(text)];
        for (const character of text) if (character === left[0]) left.shift();
        expect(left).toEqual([]);
      }),
    );
  });

  it('finds nothing in what it has made', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(holdsEmail(withoutEmail(text))).toBe(false);
      }),
      { numRuns: torture ? 5_000 : 20 },
    );
  });

  // A regular expression that backtracks would need seconds for these texts, or hours for the long ones.
  const LENGTH = torture ? 250_000 : 60_000;
  const most = (part: string, share = 1) => part.repeat((LENGTH * share) / part.length);
  it.each([
    most('a@'),
    `${most('a')}@`,
    `@${most('a')}`,
    `a@${most('a.')}`,
    `a@${most('a-')}`,
    `<${most('@')}`,
    `${most('<', 0.5)}@${most('>', 0.5)}`,
    `${most('<a@', 0.9)}${most('>', 0.3)}`,
    `${most(' ')}@`,
    `${most('\t <')}@`,
    most('"@'),
    most('a.b@c.'),
    most('%25'),
    `a%${most('25')}40b.cc`,
    most('&amp;'),
    `a&#${most('0')}64;b.cc`,
    `a@${most('1.')}beta`,
    `a@[${most(':')}`,
    most('mailto:a@'),
    most('ada\u200b@'),
    most(`"${'a'.repeat(60)}"@`),
  ])('reads a long text made to be slow (%.12s…)', (hostile) => {
    let text = '';
    expect(processorMs(() => (text = withoutEmail(hostile)))).toBeLessThan(AT_ONCE_MS);
    expect(text.length).toBeLessThanOrEqual(hostile.length);
  });

  // An exception for each escape took more than a second.
  it.each(hostileRepetitions(torture ? 200_000 : 80_000))('reads many $piece at once', ({ text }) => {
    const took = processorMs(() => expect(withoutEmail(text)).not.toContain('a@b.cc'));
    expect(took).toBeLessThan(AT_ONCE_MS);
  });
});
