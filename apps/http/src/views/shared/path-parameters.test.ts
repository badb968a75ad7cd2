import { parseCommitReference } from '../commits.js';

const SHA = '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334';

describe('parseCommitReference', () => {
  it('reads a sha, an abbreviation, and either after a repository', () => {
    expect(parseCommitReference(SHA.toUpperCase())).toEqual({ sha: SHA, repository: null });
    expect(parseCommitReference('9f1c2d3')).toEqual({ sha: '9f1c2d3', repository: null });
    expect(parseCommitReference(`Acme/Widget@${SHA}`)).toEqual({ sha: SHA, repository: 'Acme/Widget' });
  });

  it.each(['', '9f1c2d', 'zzzzzzz', `@${SHA}`, `acme@${SHA}`, `acme/widget@`, `a/b/c@${SHA}`, `acme/widget@x@${SHA}`, 'a'.repeat(65)])(
    'refuses %p',
    (text) => {
      expect(parseCommitReference(text)).toBeNull();
    },
  );
});
