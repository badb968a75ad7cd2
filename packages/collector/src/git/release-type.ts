import parse from 'semver/functions/parse.js';

/** The type of release, derived from the name of its tag. */
export interface ReleaseType {
  readonly releaseType: string;
  /** Whether the name is a semantic version. */
  readonly isVersion: boolean;
}

/** The maximum length of a version (semver has the same limit). Of a longer name, only the end is examined. */
const LONGEST_VERSION = 256;
/** The numbers of a version, without a digit in front. */
const NUMBERS = /(?<!\d)\d{1,16}\.\d{1,16}\.\d{1,16}(?=[-+]|$)/g;
/** What may come directly before a version: `widget-1.2.3`, `go1.2.3`, `v1.2.3`. */
const NAME_BEFORE = /(?:[A-Za-z]|[A-Za-z]\d{0,16}[-_])$/;

/** Tried in this order. A word counts only if no letter is next to it. */
const WORDS: readonly (readonly [type: string, words: RegExp])[] = [
  ['nightly', /(?<![a-z])(?:nightly|dev|canary|snapshot)(?![a-z])/i],
  ['alpha', /(?<![a-z])alpha(?![a-z])/i],
  ['beta', /(?<![a-z])beta(?![a-z])/i],
  ['rc', /(?<![a-z])rc(?![a-z])/i],
  ['prerelease', /(?<![a-z])(?:pre|preview|prerelease)(?![a-z])/i],
];

/** If the name contains a version, semantic versioning decides. Otherwise the same words anywhere in the name decide; without one of them the type is `stable`. */
export function releaseTypeOf(tagName: string): ReleaseType {
  const version = parse(versionIn(tagName));
  if (version === null) return { releaseType: typeByWords(tagName) ?? 'stable', isVersion: false };
  if (version.prerelease.length === 0) return { releaseType: 'stable', isVersion: true };
  return { releaseType: typeByWords(version.prerelease.join('.')) ?? 'prerelease', isVersion: true };
}

/** The version at the end of a name, such as `v1.2.3`, `widget@1.2.3`, `release/1.2.3`, `widget-v1.2.3` or `go1.2.3`. */
function versionIn(tagName: string): string | undefined {
  const end = tagName.slice(-LONGEST_VERSION);
  const name = end.slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('@')) + 1);
  for (const { index } of name.matchAll(NUMBERS)) if (index === 0 || NAME_BEFORE.test(name.slice(0, index))) return name.slice(index);
  return undefined;
}

function typeByWords(text: string): string | null {
  return WORDS.find(([, words]) => words.test(text))?.[0] ?? null;
}
