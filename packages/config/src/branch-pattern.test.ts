import fc from 'fast-check';
import { isBranchPattern, matchesBranch } from './git-location.js';

describe('matchesBranch', () => {
  it.each([
    ['main', 'main', true],
    ['main', 'Main', false],
    ['main', 'main2', false],
    ['main', 'x/main', false],
    ['release/*', 'release/1.2', true],
    ['release/*', 'release/1.2/hotfix', false],
    ['release/*', 'release', false],
    ['release/**', 'release/1.2/hotfix', true],
    ['*', 'main', true],
    ['*', 'feature/a', false],
    ['**', 'feature/a', true],
    ['v*.x', 'v1.x', true],
    ['v*.x', 'v1yx', false],
    ['a+b', 'aab', false],
    ['a|b', 'a', false],
  ])('%s and %s: %s', (pattern, name, expected) => {
    expect(matchesBranch(pattern, name)).toBe(expected);
  });

  it('matches a name without a star only exactly', () => {
    const name = fc.string().filter((text) => isBranchPattern(text) && !text.includes('*'));
    fc.assert(
      fc.property(name, name, (pattern, other) => {
        expect(matchesBranch(pattern, pattern)).toBe(true);
        expect(matchesBranch(pattern, other)).toBe(pattern === other);
        expect(matchesBranch('**', other)).toBe(true);
      }),
    );
  });
});

describe('isBranchPattern', () => {
  it.each(['', '-x', 'a b', 'a~', 'a^', 'a:b', 'a?', 'a[b]', 'a\\b', 'a\nb', 'x'.repeat(256)])('refuses %j', (text) => {
    expect(isBranchPattern(text)).toBe(false);
  });
});
