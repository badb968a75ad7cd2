import { ForgeAddresses } from './forge-addresses.js';

describe('ForgeAddresses', () => {
  it.each([
    ['https://github.com/acme/widget', '/commit/abc', '/releases/tag/v1'],
    ['https://gitea.example.org/acme/widget', '/commit/abc', '/releases/tag/v1'],
    ['https://git.example.org/acme/widget', '/commit/abc', '/releases/tag/v1'],
    ['https://gitlab.com/acme/sub/widget', '/-/commit/abc', '/-/tags/v1'],
    ['https://my-gitlab.example.org/acme/widget', '/-/commit/abc', '/-/tags/v1'],
    ['https://bitbucket.org/acme/widget', '/commits/abc', '/src/v1'],
    ['https://git.example.org/gitlab/widget', '/commit/abc', '/releases/tag/v1'],
  ])('formats the addresses of %s by its host', (url, commit, tag) => {
    const addresses = new ForgeAddresses(url);
    expect([addresses.repository, addresses.commit('abc'), addresses.tag('v1')]).toEqual([url, url + commit, url + tag]);
  });

  it('uses the given style, and drops a final slash and .git', () => {
    const addresses = new ForgeAddresses('https://git.example.org/acme/widget.git/', 'gitlab');
    expect(addresses.repository).toBe('https://git.example.org/acme/widget');
    expect(addresses.tag('a/b c?')).toBe('https://git.example.org/acme/widget/-/tags/a/b%20c%3F');
  });

  it('uses the address of the repository if another one would be too long', () => {
    expect(new ForgeAddresses('https://git.example.org/a/b').tag('ü'.repeat(400))).toBe('https://git.example.org/a/b');
  });
});
