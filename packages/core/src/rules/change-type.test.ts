import { changeTypeOf } from './change-type.js';

describe('changeTypeOf', () => {
  it.each([
    ['feat: keyset paging', 'feature'],
    ['feat(core)!: keyset paging', 'feature'],
    ['FIX: cursor', 'fix'],
    ['docs(readme): a picture', 'docs'],
    ['test: more', 'tests'],
    ['refactor: less', 'refactor'],
    ['perf: faster', 'performance'],
    ['build: new image', 'build'],
    ['ci: cache', 'ci'],
    ['chore(deps): bump x', 'dependencies'],
    ['build(deps-dev): bump x', 'dependencies'],
    ['security: escape', 'security'],
    ['revert: feat', 'revert'],
    ['style: spaces', 'chore'],
    ['wip: something', 'other'],
  ])('reads the conventional %j as %s', (subject, type) => {
    expect(changeTypeOf(subject, [])).toBe(type);
  });

  it.each([
    ['Add a cursor', 'feature'],
    ['Fixes the cursor', 'fix'],
    ['[Fix] the cursor', 'fix'],
    ['Bump x from 1 to 2', 'dependencies'],
    ['Revert "Add a cursor"', 'revert'],
    ['Rename things', 'refactor'],
    ['README: typo', 'docs'],
    ['CI', 'ci'],
    ['[ci skip] docs: a picture', 'docs'],
    ['[skip ci] Fix the cursor', 'fix'],
  ])('reads the first word of %j as %s', (subject, type) => {
    expect(changeTypeOf(subject, [])).toBe(type);
  });

  it.each(['Addendum', 'Cursor paging', '[ci skip] 1.2.0', '', '   ', '修正', '123 fix'])('does not guess from %j alone', (subject) => {
    expect(changeTypeOf(subject, [])).toBeNull();
  });

  it.each([
    ['tests', ['src/a.test.ts', 'test/b.ts']],
    ['tests', ['test_app.py', 'app_test.go', 'spec/x_spec.rb']],
    ['docs', ['README.md', 'docs/a.png', 'LICENSE']],
    ['ci', ['.github/workflows/ci.yml', '.gitlab-ci.yml', 'Jenkinsfile', '.ci/run']],
    ['dependencies', ['pnpm-lock.yaml', 'packages/x/package-lock.json', 'requirements-dev.txt']],
    ['build', ['package.json', 'Dockerfile', 'packages/core/tsconfig.test.json']],
    [null, ['src/a.ts']],
    [null, ['README.md', 'src/a.ts']],
    [null, ['contest/a.ts', 'latest.ts', 'documents.ts']],
    [null, []],
  ])('tells %s from the changed paths', (type, paths) => {
    expect(changeTypeOf('Something', paths)).toBe(type);
  });

  it('believes the subject more than the paths', () => {
    expect(changeTypeOf('fix: a flaky test', ['a.test.ts'])).toBe('fix');
  });

  // A regular expression that backtracks would exceed the test's timeout.
  it.each([['a'.repeat(500_000)], [`feat(${'('.repeat(500_000)}`], [`${'['.repeat(500_000)}x`], [`feat(${'a'.repeat(500_000)}: x`]])(
    'reads a subject made to be slow (%.8s…)',
    (subject) => {
      const paths = [subject.slice(0, 4_000), '/test_'.repeat(50_000), '.test.'.repeat(50_000)];
      expect(changeTypeOf(subject, paths)).toBe(subject.startsWith('feat') ? 'feature' : null);
    },
  );
});
