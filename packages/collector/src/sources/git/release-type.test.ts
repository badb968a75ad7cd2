import fc from 'fast-check';
import parse from 'semver/functions/parse.js';
import { AT_ONCE_MS, processorMs } from '../../../../../test/hostile-repetitions.js';
import { releaseTypeOf } from './collect-releases.js';

/** The rule as a simple pattern, which takes cubic time. */
const VERSION = /(?:^|[/@]|[A-Za-z][A-Za-z0-9]*[-_]?)[vV]?(\d+\.\d+\.\d+(?:[-+][^/@]*)?)$/;

describe('releaseTypeOf', () => {
  it.each([
    ['1.2.3', 'stable'],
    ['v1.2.3', 'stable'],
    ['V1.2.3', 'stable'],
    ['widget@1.2.3', 'stable'],
    ['@acme/widget@1.2.3', 'stable'],
    ['release/1.2.3', 'stable'],
    ['release-1.2.3', 'stable'],
    ['my-widget-v1.2.3', 'stable'],
    ['go1.22.1', 'stable'],
    ['v1.2.3+dev.5', 'stable'],
    ['v1.0.0-rc.1', 'rc'],
    ['v1.0.0-RC1', 'rc'],
    ['v1.0.0-beta', 'beta'],
    ['v1.0.0-beta.2+build', 'beta'],
    ['widget@2.0.0-alpha.0', 'alpha'],
    ['v1.0.0-nightly.20260101', 'nightly'],
    ['v1.0.0-dev.3', 'nightly'],
    ['1.0.0-SNAPSHOT', 'nightly'],
    ['v1.0.0-canary-abc', 'nightly'],
    ['v1.0.0-next.1', 'prerelease'],
    ['v1.0.0-0', 'prerelease'],
    ['v1.0.0-source', 'prerelease'],
    ['v6.0.0-M2', 'prerelease'],
    ['33.0.0-jre', 'stable'],
    ['v1.0.0-final', 'stable'],
    ['v1.0.0-rc.1-final', 'rc'],
  ])('reads %s as a version and %s', (tag, releaseType) => {
    expect(releaseTypeOf(tag)).toEqual({ releaseType, isVersion: true });
  });

  it.each([
    ['1.2', 'stable'],
    ['v2', 'stable'],
    ['1.2.3.4', 'stable'],
    ['01.2.3', 'stable'],
    ['2026-01-31', 'stable'],
    ['march', 'stable'],
    ['devices', 'stable'],
    ['1.0rc1', 'rc'],
    ['v3.13.0a1', 'alpha'],
    ['v3.13.0b2', 'beta'],
    ['1.0c1', 'rc'],
    ['2.0-b3', 'beta'],
    ['1.0.post1', 'stable'],
    ['1.0.2a', 'stable'],
    ['v1.0-3-ga1b2c3', 'stable'],
    ['5.0.0.M1', 'prerelease'],
    ['1.0.0.CR1', 'rc'],
    ['1.0.0.Final', 'stable'],
    ['5.3.0.RELEASE', 'stable'],
    ['jdk-21-ea', 'prerelease'],
    ['unstable', 'prerelease'],
    ['nightly', 'nightly'],
    ['nightly-2026-01-31', 'nightly'],
    ['beta_2', 'beta'],
    ['v3-alpha', 'alpha'],
    ['v3-preview', 'prerelease'],
  ])('reads %s by its words, as %s', (tag, releaseType) => {
    expect(releaseTypeOf(tag)).toEqual({ releaseType, isVersion: false });
  });

  it('finds the same version as the pattern', () => {
    const piece = fc.constantFrom('a', 'Z', 'v', '1', '22', '1.2.3', '.', '-', '_', '/', '@', '+', 'rc', '-rc.1', 'ü');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const tag = pieces.join('');
        expect([tag, releaseTypeOf(tag).isVersion]).toEqual([tag, parse(VERSION.exec(tag)?.[1]) !== null]);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 5_000 : 20 },
    );
  });

  // The pattern above takes minutes for some of these names.
  it.each([
    ['a'.repeat(100_000)],
    ['1'.repeat(100_000)],
    ['a1'.repeat(50_000)],
    ['1.'.repeat(50_000)],
    ['1.2.3'.repeat(20_000)],
    ['a-'.repeat(50_000)],
    ['a'.repeat(50_000) + '1'.repeat(50_000)],
    [`${'1.2.3-'.repeat(20_000)}/`],
    [`a${'0'.repeat(100_000)}1.2.3!`],
    [`a${'1'.repeat(50_000)}.1.${'1'.repeat(50_000)}!`],
    [`${'a1'.repeat(50_000)}.1.1!`],
    ['beta'.repeat(25_000)],
  ])('reads a long name that is made to be slow (%.12s…)', (tag) => {
    expect(processorMs(() => releaseTypeOf(tag))).toBeLessThan(AT_ONCE_MS);
  });
});
