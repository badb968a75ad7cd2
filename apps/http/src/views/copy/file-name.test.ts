import fc from 'fast-check';
import { fileNameOf } from './copy-plan.js';

describe('the file name of an id', () => {
  it.each([
    ['nws_4d1x8c', 'nws_4d1x8c'],
    ['acme/widget@v2.1.0', 'acme/widget@v2.1.0'],
    ['acme:web', 'acme~web'],
  ])('of %s is %s', (id, name) => {
    expect(fileNameOf(id)).toBe(name);
  });

  it.each([
    ['../../etc/passwd', /^x~_\w{16}\/x~_\w{16}\/etc\/passwd$/],
    ['.git', /^git~_\w{16}$/],
    ['Widget', /^widget~_\w{16}$/],
    ['index.html', /^index-html~_\w{16}$/],
    ['a%2fb', /^a-2fb~_\w{16}$/],
    ['x'.repeat(200), /^x{60}~_\w{16}$/],
    ['', /^x~_\w{16}$/],
  ])('of %s has a hash', (id, name) => {
    expect(fileNameOf(id)).toMatch(name);
  });

  const id = fc.oneof(
    fc.string({ minLength: 1, maxLength: 120 }),
    fc
      .array(fc.constantFrom('a', 'A', '.', '..', '/', ':', '~', '_', '%2f', '.json', 'x'.repeat(90), '\\', '\n', 'ä'), { minLength: 1 })
      .map((parts) => parts.join('')),
  );

  it('stays in its folder, and needs no encoding', () => {
    fc.assert(
      fc.property(id, (text) =>
        fileNameOf(text)
          .split('/')
          .every((part) => /^[a-z0-9][a-z0-9._@~-]{0,254}$/.test(part) && !/\.(?:html|json)$/.test(part)),
      ),
    );
  });

  it('differs for different ids', () => {
    fc.assert(fc.property(id, id, (one, other) => one === other || fileNameOf(one) !== fileNameOf(other)));
  });
});
