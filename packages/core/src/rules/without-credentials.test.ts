import fc from 'fast-check';
import { quotable, withoutCredentials } from './quotable.js';

const SECRET = 's3cr3t-w0rd';
const CHARACTERS = [...'abcXYZ019-._~!$&()*+,;=%:@/?#\'"<>[]{}|\\^`'];
const noise = fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 12 });
const scheme = fc.constantFrom('http', 'https', 'HTTPS', 'ssh', 'git', 'ftp', 'svn+ssh', 'mongodb');
const host = fc.constantFrom('acme.example', 'acme.example:8443', '10.0.0.1', '[2001:db8::1]:22', 'localhost');
const path = fc.constantFrom('', '/', '/acme/widget.git', '/@user/feed', '/a/b%20c/');
/** Around an address in messages of git, of Node and of Vitrine. */
const frame = fc.constantFrom(
  ['', ''],
  ["fatal: unable to access '", "': timed out"],
  ['"', '" twice'],
  ['(', ')'],
  ['<', '>, or'],
  ['to ', '.'],
  ['x\n', '\ny'],
);
/** A user name and password without white space: it can contain any other character, if it is not the end of the address. */
const userInfo = fc
  .tuple(noise, noise, noise)
  .map(([a, b, c]) => `${a.replace(/[/?#@]/g, '')}:${b.replace(/[/?#]/g, '')}${SECRET}${c.replace(/[/?#]/g, '')}@`);
const query = fc.tuple(fc.constantFrom('?', '#', '?a=b&', '?token='), noise, noise).map(([mark, a, b]) => `${mark}${a}${SECRET}${b}`);
const address = fc
  .tuple(scheme, fc.option(userInfo, { nil: '' }), host, path, fc.option(query, { nil: '' }))
  .map(([name, user, at, below, asked]) => `${name}://${user}${at}${below}${asked}`);

describe('withoutCredentials', () => {
  it('removes the credentials and the query of every address in every text', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(frame, address), { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts.map(([[before = '', after = ''], one]) => `${before}${one}${after}`).join(' ');
        const shown = withoutCredentials(text);
        expect(shown).not.toContain(SECRET);
        expect(withoutCredentials(shown)).toBe(shown);
        for (const most of [80, 300]) expect(quotable(text, most)).not.toContain(SECRET);
      }),
    );
  });

  it('changes no text without an address', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 20 }), (words) => {
        const text = words.join(' ').replace(/:\/\/|\?/g, '');
        expect(withoutCredentials(text)).toBe(text);
      }),
    );
  });

  it.each([
    ['https://acme.example/a', 'https://acme.example/a'],
    ['https://ada:pw@acme.example/a?b=c#d', 'https://…@acme.example/a?…'],
    ['https://ada:p/w?d@acme.example/a', 'https://…@acme.example/a'],
    ['ssh://git@acme.example:acme/a.git', 'ssh://…@acme.example:acme/a.git'],
    ['https://social.example/@acme.rss', 'https://social.example/@acme.rss'],
    ["fatal: 'https://acme.example/a?token=b': gone.", "fatal: 'https://acme.example/a?…': gone."],
    ['remote: /acme/a.git?token=b&c=d was not found', 'remote: /acme/a.git?… was not found'],
    ['did you mean this? a=b', 'did you mean this? a=b'],
  ])('shows %s as %s', (text, shown) => {
    expect(withoutCredentials(text)).toBe(shown);
  });

  it('quotes no part of a password that the cut would end', () => {
    const start = 'https://a.example/?b '.repeat(200);
    for (let length = 0; length < 60; length++)
      expect(quotable(`${start.slice(0, 3_000 - length)} https://ada:${SECRET.repeat(20)}@acme.example/`, 300)).not.toMatch(/s3cr|ada/);
  });

  it('takes twice the time for twice the text', () => {
    const patterns = ['a://', 'a://b:c', "?a='", '/a?b=', '://@', "'".repeat(4), 'a://[', 'http://a@'];
    for (const pattern of patterns) {
      const steps = (size: number): number => {
        const text = pattern.repeat(size / pattern.length);
        const started = process.cpuUsage().user;
        withoutCredentials(text);
        return process.cpuUsage().user - started;
      };
      steps(10_000);
      // A quadratic pattern takes minutes for a megabyte.
      expect(steps(1_000_000)).toBeLessThan(5_000_000);
    }
  });
});
