import { resolve } from 'node:path';
import { readGitLocation } from './git-location.js';

describe('readGitLocation', () => {
  it.each(['.', '/srv/git/widget.git', './a:b', '/a:b', 'C:\\git\\widget', 'widget', '-u', '../x'])('reads %s as a folder', (path) => {
    expect(readGitLocation(path)).toEqual({ kind: 'folder', path: resolve(path) });
  });

  it.each([
    'https://example.org/a.git',
    'http://h/a',
    'ssh://git@h:22/a',
    'git://h/a',
    'file:///srv/a',
    'git@h:acme/a.git',
    'h.example:a',
    'git@[::1]:a',
    'HTTPS://h/a@b',
  ])('reads %s as an address', (address) => {
    expect(readGitLocation(address)).toEqual({ kind: 'address', address });
  });

  it.each([
    ['', 'is empty'],
    ['a\nb', 'control characters'],
    ['ext::sh -c x', 'calls a git remote helper'],
    ['fd::17', 'calls a git remote helper'],
    ['ftp://h/a', 'must be http(s), ssh, git or file'],
    ['ext://h/a', 'must be http(s), ssh, git or file'],
    ['https://ada:s3cret@h/a', 'credentials'],
    ['https://s3cret@h/a', 'credentials'],
    ['ssh://ada:s3cret@h/a', 'credentials'],
  ])('rejects %j and says why', (location, reason) => {
    expect(readGitLocation(location)).toEqual({ kind: 'malformed', problem: expect.stringContaining(reason) });
  });

  it.each(['https://ada:s3cret@h/a', 'https://s3cret@h/a', 'ftp://ada:s3cret@h/a', 'https://a:s3c/ret@h@h/a', 'ext::https://ada:s3cret@h/a'])(
    'never repeats the secret in %s',
    (location) => {
      expect(readGitLocation(location)).toEqual({ kind: 'malformed', problem: expect.not.stringContaining('s3c') });
    },
  );
});
