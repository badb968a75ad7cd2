import { GitError } from './git-process.js';
import { parseGitLocation } from './local-repository.js';

describe('parseGitLocation', () => {
  it('returns what the configuration reads', () => {
    expect(parseGitLocation('/srv/git/widget.git')).toEqual({ kind: 'folder', path: '/srv/git/widget.git' });
    expect(parseGitLocation('git@h:acme/a.git')).toEqual({ kind: 'address', address: 'git@h:acme/a.git' });
  });

  it('throws a GitError that says what is wrong with a malformed location', () => {
    expect(() => parseGitLocation('ext::sh -c x')).toThrow(
      new GitError('"ext::sh -c x" calls a git remote helper: give a folder or an http(s), ssh, git or file address'),
    );
  });
});
