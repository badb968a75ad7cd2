import parse from 'semver/functions/parse.js';

/** What a tag's name tells about its release. */
export interface ReleaseType {
  readonly releaseType: string;
  /** Whether the name is a semantic version. */
  readonly isVersion: boolean;
}

/** A name may stand before the version: `v1.2.3`, `widget@1.2.3`, `release/1.2.3`, `widget-v1.2.3`, `go1.2.3`. */
const VERSION = /(?:^|[/@]|[A-Za-z][A-Za-z0-9]*[-_]?)[vV]?(\d+\.\d+\.\d+(?:[-+][^/@]*)?)$/;

/** Tried in this order; a word counts where no other letter touches it. */
const WORDS: readonly (readonly [type: string, words: RegExp])[] = [
  ['nightly', wordsOf('nightly|dev|canary|snapshot')],
  ['alpha', wordsOf('alpha')],
  ['beta', wordsOf('beta')],
  ['rc', wordsOf('rc')],
  ['prerelease', wordsOf('pre|preview|prerelease')],
];

/** Semantic versioning decides where the name holds a version; else the same words anywhere in the name, and `stable` without one. */
export function releaseTypeOf(tagName: string): ReleaseType {
  const version = parse(VERSION.exec(tagName)?.[1]);
  if (version === null) return { releaseType: typeByWords(tagName) ?? 'stable', isVersion: false };
  if (version.prerelease.length === 0) return { releaseType: 'stable', isVersion: true };
  return { releaseType: typeByWords(version.prerelease.join('.')) ?? 'prerelease', isVersion: true };
}

function typeByWords(text: string): string | null {
  return WORDS.find(([, words]) => words.test(text))?.[0] ?? null;
}

function wordsOf(words: string): RegExp {
  return new RegExp(`(?<![a-z])(?:${words})(?![a-z])`, 'i');
}
