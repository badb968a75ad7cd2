import { sameRepository } from './branch-scope.js';

const URL = 'https://code.example/acme/widget';

describe('sameRepository', () => {
  it.each([
    'https://code.example/acme/widget',
    'https://code.example/acme/widget/',
    'https://code.example/acme/widget.git',
    'https://code.example/acme/widget.git/',
    'https://CODE.example:443//acme/widget',
    'http://code.example/acme/widget',
    'https://ada:secret@code.example/acme/widget.git',
    'https://token@code.example/acme/widget',
    'ssh://git@code.example/acme/widget.git',
    'ssh://git@code.example:2222/acme/widget.git',
    'git://code.example/acme/widget',
    'git@code.example:acme/widget.git',
    'git@Code.Example:/acme/widget',
    'code.example:acme/widget',
  ])('treats %s as the same', (address) => {
    expect(sameRepository(address, URL)).toBe(true);
    expect(sameRepository(URL, address)).toBe(true);
  });

  it.each([
    'https://code.example/acme/Widget',
    'https://code.example/acme/widget-private',
    'https://code.example/acme',
    'https://code.example:8443/acme/widget',
    'https://code.example.org/acme/widget',
    'https://other.example/code.example/acme/widget',
    'git@code.example:fork/widget.git',
    'file:///code.example/acme/widget',
    '/code.example/acme/widget',
    '../acme/widget',
    'C:/acme/widget',
    'https://code.example/',
    '',
  ])('treats %j as another', (address) => {
    expect(sameRepository(address, URL)).toBe(false);
    expect(sameRepository(URL, address)).toBe(false);
  });

  it('never treats local paths as the same', () => {
    expect(sameRepository('/srv/widget.git', '/srv/widget.git')).toBe(false);
    expect(sameRepository('file:///srv/widget.git', 'file:///srv/widget.git')).toBe(false);
  });
});
