import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { idOf, plainText } from './plain-text.js';
import { statedTime, canonicalAddress } from './web-address.js';

const NOW = Date.UTC(2026, 10, 20, 12);

describe('plainText', () => {
  it.each([
    ['Widget 2.1 is out', 'Widget 2.1 is out'],
    ['<b>Widget</b> &amp; <i>Gadget</i>', 'Widget & Gadget'],
    ['<p>One</p><p>Two</p>', ' One  Two '],
    ['one<br>two', 'one two'],
    ['5 < 6 &lt;b&gt;', '5 < 6 <b>'],
    ['a<script>alert("1")</script>b<style>p {}</style>', 'a  b  '],
    ['<img src="x" onerror="alert(1)">text', ' text'],
    ['caf&eacute; &#x1F600; &nbsp;.', 'café 😀 \u00a0.'],
    ['<scr<script>ipt>alert(1)</script>', ' ipt>alert(1) '],
    ['unclosed <a href="', 'unclosed '],
  ])('turns %s into text', (markup, text) => {
    expect(plainText(markup).replace(/ +/g, ' ')).toBe(text.replace(/ +/g, ' '));
  });

  it('leaves no tag behind, whatever the markup', () => {
    const markup = fc.array(fc.constantFrom('<', '>', '/', 'script', 'b', ' ', '"', '=', '&', 'lt;', 'text', '!--', '--'), { maxLength: 40 });
    fc.assert(
      fc.property(markup, (parts) => {
        expect(plainText(`${parts.join('').replaceAll('&', '')}<b>`)).not.toMatch(/<script[ >]|<b>/);
      }),
    );
  });
});

describe('canonicalAddress', () => {
  it.each([
    ['https://acme.example/a', 'https://acme.example/a'],
    [' HTTPS://Acme.example:443/a b ', 'https://acme.example/a%20b'],
    ['https://acme.example/a?utm_source=rss&b=1&UTM_campaign=x#part', 'https://acme.example/a?b=1#part'],
    ['https://acme.example/a?utm_source=rss', 'https://acme.example/a'],
    ['https://acme.example/a?b=%20+c&d', 'https://acme.example/a?b=%20+c&d'],
    ['https://user:password@acme.example/', 'https://acme.example/'],
    ['/a#b', 'https://blog.example/a#b'],
    ['//other.example/', 'https://other.example/'],
  ])('makes %s canonical', (text, address) => {
    expect(canonicalAddress(text, 'https://blog.example/feed/x.xml')).toBe(address);
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'tag:acme.example,2026:1',
    '',
    ' ',
  ])('refuses %j', (text) => {
    expect(canonicalAddress(text, 'https://blog.example/')).toBeNull();
  });

  it('refuses relative addresses without a base, and addresses that are too long', () => {
    expect(canonicalAddress('/a', null)).toBeNull();
    expect(canonicalAddress(`https://acme.example/${'a'.repeat(3_000)}`, null)).toBeNull();
    expect(canonicalAddress(undefined, null)).toBeNull();
  });
});

describe('statedTime', () => {
  const READABLE: readonly (readonly [text: string, time: string])[] = [
    ['Fri, 20 Nov 2026 10:00:00 GMT', '2026-11-20T10:00:00.000Z'],
    ['Fri, 20 Nov 2026 10:00:00 +0100', '2026-11-20T09:00:00.000Z'],
    ['20 Nov 2026 10:00:00 EST', '2026-11-20T15:00:00.000Z'],
    ['Fri, 20 Nov 2026 10:00:00', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00.5+02:00', '2026-11-20T08:00:00.500Z'],
    ['2026-11-20T10:00:00', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20 10:00:00', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['Fri, 20 Nov 2026 10:00:00 +0100 (CET)', '2026-11-20T09:00:00.000Z'],
    ['Fri, 20 Nov 2026 10:00:00 CET', '2026-11-20T09:00:00.000Z'],
    ['Sat, 20 Jun 2026 10:00:00 CEST', '2026-06-20T08:00:00.000Z'],
    ['2026-06-20 10:00:00 BST', '2026-06-20T09:00:00.000Z'],
    ['20 Nov 2026 10:00 EET', '2026-11-20T08:00:00.000Z'],
    ['Fri, 20 Nov 2026 10:00:00 Europe/Brussels', '2026-11-20T09:00:00.000Z'],
    ['Sat, 20 Jun 2026 10:00:00 Europe/Brussels', '2026-06-20T08:00:00.000Z'],
    ['2026-06-20T10:00:00 Europe/Lisbon', '2026-06-20T09:00:00.000Z'],
    ['Sun, 29 Mar 2026 03:30:00 Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['Sun, 25 Oct 2026 04:00:00 Europe/Berlin', '2026-10-25T03:00:00.000Z'],
    ['Fri, 20 Nov 2026 10:00:00 JST', '2026-11-20T01:00:00.000Z'],
    ['Fri, 20 Nov 2026 10:00:00 AEDT', '2026-11-19T23:00:00.000Z'],
    ['2026-11-20T10:00:00 +01:00', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20 10:00:00 +0100', '2026-11-20T09:00:00.000Z'],
    ['Fri Nov 20 10:00:00 2026', '2026-11-20T10:00:00.000Z'],
    ['20-Nov-2026 10:00:00 GMT', '2026-11-20T10:00:00.000Z'],
    ['Nov 20, 2026', '2026-11-20T00:00:00.000Z'],
    [' 2026-11-20T10:00Z\n', '2026-11-20T10:00:00.000Z'],
    ['20-Nov-2026', '2026-11-20T00:00:00.000Z'],
    ['20-November-2026 10:00', '2026-11-20T10:00:00.000Z'],
    ['10:00 20-Nov-2026', '2026-11-20T10:00:00.000Z'],
    ['2026-Nov-20', '2026-11-20T00:00:00.000Z'],
    ['2026/11/20', '2026-11-20T00:00:00.000Z'],
    ['Fri Nov 20 2026 10:00:00 GMT+0100 (CET)', '2026-11-20T09:00:00.000Z'],
    ['Fri, 20 Nov 26 10:00:00 GMT', '2026-11-20T10:00:00.000Z'],
    ['2026-10-31T23:00:00-05:00', '2026-11-01T04:00:00.000Z'],
    ['Sun, 1 Nov 2026 01:00:00 +0200', '2026-10-31T23:00:00.000Z'],
    ['10:30 Oct 31, 2026', '2026-10-31T10:30:00.000Z'],
    ['2026-10-31T24:00:00Z', '2026-11-01T00:00:00.000Z'],
  ];

  it.each(READABLE)('reads %s', (text, time) => {
    expect(statedTime(text, NOW)).toBe(Date.parse(time));
  });

  it('reads all of them alike in a process with another time zone', () => {
    const program = ['../../../../../test/run-typescript.cjs', '../../../test/stated-time-process.ts'].map((file) => join(__dirname, file));
    const texts = READABLE.map(([text]) => text);
    const options = { env: { ...process.env, TZ: 'America/New_York' }, encoding: 'utf8' } as const;
    const times = execFileSync(process.execPath, ['-C', '@vitrine/source', ...program, ...texts], options);
    expect(JSON.parse(times)).toEqual(READABLE.map(([, time]) => Date.parse(time)));
  });

  it('reads the days that exist, however they are written, and no others', () => {
    const NAMES = ['Jan', 'February', 'Mar', 'April', 'May', 'June', 'Jul', 'Aug', 'Sept.', 'Oct', 'Nov', 'December'];
    const day = fc.record({
      year: fc.integer({ min: 1991, max: 2025 }),
      month: fc.integer({ min: 1, max: 12 }),
      date: fc.integer({ min: 28, max: 31 }),
    });
    const form = fc.constantFrom<(year: number, month: string, name: string, date: number) => string>(
      (year, month, _, date) => `${year}-${month}-${date}`,
      (year, month, _, date) => `${year}-${month}-${date}T10:00:00+14:00`,
      (year, month, _, date) => `${year}/${month}/${date} 23:00:00 -1200`,
      (year, month, _, date) => `${year}, ${Number(month)}, ${date}`,
      (year, _, name, date) => `Mon, ${date} ${name} ${year} 01:02:03 GMT`,
      (year, _, name, date) => `${date} ${name} ${String(year).slice(2)} 01:02:03 Europe/Berlin`,
      (year, _, name, date) => `${date}-${name}-${year}`,
      (year, _, name, date) => `Mon ${name} ${date} 10:30:00 ${year}`,
      (year, _, name, date) => `10:30 ${name} ${date}, ${year} CEST`,
    );
    fc.assert(
      fc.property(day, form, ({ year, month, date }, written) => {
        const text = written(year, String(month).padStart(2, '0'), NAMES[month - 1] ?? '', date);
        const exists = date <= new Date(Date.UTC(year, month, 0)).getUTCDate();
        expect([text, statedTime(text, NOW) !== null]).toEqual([text, exists]);
      }),
    );
  });

  it.each([
    undefined,
    '',
    'yesterday',
    'Version 3',
    '5',
    '1.2.3',
    '01.02.2026 10:00',
    '01/02/2026',
    'Fri, 20 Nov 2026 10:00:00 Europe/Atlantis',
    'Fri, 20 Nov 2026 10:00:00 XYZ',
    '0000-00-00',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '0001-01-01 00:00:00 +0000 UTC',
    'Mon, 01 Jan 0001 00:00:00 +0000',
    'Mon, 01-Jan-0001 00:00:00 GMT',
    'Monday, January 1, 0001',
    'Mon Jan 1 00:00:00 0001',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    '9999-12-31T23:59:59Z',
    '2026-11-22T00:00:00Z',
  ])('does not believe %s', (text) => {
    expect(statedTime(text, NOW)).toBeNull();
  });

  it('reads only texts as long as a time, because longer ones take quadratic time', () => {
    const day = 'Fri, 20 Nov 2026 10:00:00 GMT';
    expect(statedTime(`${day} (${'z'.repeat(60)})`, NOW)).toBe(Date.parse(day));
    expect(statedTime(`${day} (${'z'.repeat(80)})`, NOW)).toBeNull();
    expect(statedTime('z('.repeat(1_000_000), NOW)).toBeNull();
  });
});

describe('idOf', () => {
  it('is readable, stable and different for each label and name', () => {
    expect(idOf('Acme Blog', 'tag:acme.example,2026:1')).toMatch(/^acme-blog-[0-9a-f]{20}$/);
    expect(idOf('Acme Blog', 'a')).toBe(idOf('Acme Blog', 'a'));
    expect(new Set([idOf('a', 'b'), idOf('A', 'b'), idOf('a', 'c'), idOf('ab', '')]).size).toBe(4);
    expect(idOf('ブログ', 'a')).toMatch(/^[0-9a-f]{20}$/);
    expect(idOf('x'.repeat(300), 'a').length).toBeLessThan(100);
  });
});
