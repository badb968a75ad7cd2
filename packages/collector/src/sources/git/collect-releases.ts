import parse from 'semver/functions/parse.js';
import { type GitCollection, type GitOrigin, tagMark } from './git-collection.js';
import type { GitRef } from './git-refs.js';
import { publishableRecord, quotable, type Instant, type Release, releaseIdKey } from '@vitrine/core';
import { commitsOf, firstDate } from './commit-log.js';
import { MAX_TITLE, officialProvenance, plainName, publicBody, publicIdOf, publicLine } from './public-text.js';
import { RecordBatches } from '../../running/record-batches.js';
import { firstOf } from '../../running/source.js';
import { type Git, textOf } from './git.js';

type Commits = Pick<ReadonlySet<string>, 'has'>;

/** The tags that are shown: all, or only those whose commit a shown branch reaches. A tag on a commit that is not public stays hidden. */
async function shownTags({ git, refs }: GitCollection, reached: Commits): Promise<readonly GitRef[]> {
  if (refs.hasAllTags) return refs.tags;
  const shas = refs.tags.map(({ sha }) => sha);
  const commits = await commitsOf(git, shas, reached);
  return refs.tags.filter((_, index) => reached.has(commits[index] ?? ''));
}

/** The maximum length of a version (semver has the same limit). Of a longer name, only the end is examined. */
const LONGEST_VERSION = 256;
/** The numbers of a version, without a digit in front. */
const NUMBERS = /(?<!\d)\d{1,16}\.\d{1,16}\.\d{1,16}(?=[-+]|$)/g;
/** What may come directly before a version: `widget-1.2.3`, `go1.2.3`, `v1.2.3`. */
const NAME_BEFORE = /(?:[A-Za-z]|[A-Za-z]\d{0,16}[-_])$/;

/** Tried in this order. A word counts only if no letter is next to it. `1.0a1` and `1.0b1` are the forms of Python, `1.0.0.M1` and `1.0.0.CR1` those of Java. */
const WORDS: readonly (readonly [type: string, words: RegExp])[] = [
  ['nightly', /(?<![a-z])(?:nightly|dev|canary|snapshot)(?![a-z])/i],
  ['alpha', /(?<![a-z])alpha(?![a-z])|\.\d{1,9}[._-]?a\d{1,4}(?![\da-z])/i],
  ['beta', /(?<![a-z])beta(?![a-z])|\.\d{1,9}[._-]?b\d{1,4}(?![\da-z])/i],
  ['rc', /(?<![a-z])(?:rc|cr)(?![a-z])|\.\d{1,9}c\d{1,4}(?![\da-z])/i],
  ['prerelease', /(?<![a-z])(?:pre|preview|prerelease|milestone|ea|unstable)(?![a-z])|\.\d{1,9}[._-]m\d{1,4}(?![\da-z])/i],
  ['stable', /(?<![a-z])(?:final|ga|release|lts|jre|android)(?![a-z])/i],
];

/** Semantic versioning decides if the name contains a version, or else the words anywhere in it. Without one of them, it is `stable`. */
export function releaseTypeOf(tagName: string): { readonly releaseType: string; readonly isVersion: boolean } {
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

function releaseIdOf(origin: GitOrigin, tagName: string): string {
  return publicIdOf(`${origin.name.fullName}@${tagName}`);
}

/** A text says why there is none. */
function releaseOf(tag: RawTag, observedAt: Instant, origin: GitOrigin): Release | string {
  const { published } = tag;
  const shown = `tag "${quotable(tag.name)}" was left out`;
  if (tag.name.includes('\ufffd')) return `${shown}: its name is not UTF-8`;
  if (published === null) return `${shown}: it has no readable date and leads to no commit that has one`;
  const release = publishableRecord(releaseRecord({ tag: tag.name, name: null, notes: tag.message, publishedAt: published }, origin, observedAt));
  return typeof release === 'string' ? 'a tag was left out: its name holds an e-mail address' : release;
}

/** What git and a forge say about a release. */
export interface ReleaseFacts {
  readonly tag: string;
  /** Default: that of the tag. */
  readonly name: string | null;
  readonly notes: string | null;
  readonly publishedAt: Instant;
}

export function releaseRecord({ tag, name, notes, publishedAt }: ReleaseFacts, origin: GitOrigin, observedAt: Instant): Release {
  const { releaseType, isVersion } = releaseTypeOf(tag);
  const sourceUrl = origin.addresses.tag(tag);
  return {
    kind: 'release',
    repositoryRef: origin.ref,
    id: releaseIdOf(origin, tag),
    tagName: plainName(tag, MAX_TITLE),
    name: publicLine(name ?? '', MAX_TITLE) || publicLine(tag, MAX_TITLE),
    body: publicBody(notes ?? ''),
    platform: null,
    releaseType,
    publishedAt,
    sourceUrl,
    provenance: officialProvenance(origin, { sourceUrl, observedAt, publishedAt, confidence: isVersion ? 'high' : 'medium' }),
  };
}

const SHOWN_WARNINGS = 20;

/** @param reached the commits of the shown branches */
export async function collectReleases(collection: GitCollection, reached: Commits) {
  const { context, origin, known } = collection;
  const tags = await shownTags(collection, reached);
  const marks = new Set(known.tags);
  const stored: string[] = [];
  for await (const { id } of context.collection.ofRepository('release', origin.ref, context)) stored.push(id);
  const storedKeys = new Set(stored.map(releaseIdKey));
  const keyOf = (name: string): string => releaseIdKey(releaseIdOf(origin, name));
  const isKnown = (tag: GitRef): boolean => marks.has(tagMark(tag)) && storedKeys.has(keyOf(tag.name));
  const wanted = new Map(tags.flatMap((tag) => (isKnown(tag) ? [] : [[tag.name, tag.sha]])));
  const kept = new Set(tags.filter(({ name }) => !wanted.has(name)).map(({ name }) => keyOf(name)));
  const keptCount = kept.size;
  const { warnings, written, names, seen } = await storeReleases(collection, wanted);
  for (const name of names) kept.add(keyOf(name));
  const gone = stored.filter((id) => !kept.has(releaseIdKey(id))).map((id) => ({ kind: 'release', repositoryRef: origin.ref, id }) as const);
  const removed = gone.length === 0 ? 0 : await context.writer.remove(gone, context);
  return {
    stored: written.stored,
    unchanged: keptCount + written.unchanged,
    removed,
    total: kept.size,
    tags: tags.map(tagMark),
    warnings: firstOf(warnings, SHOWN_WARNINGS),
    /** If a tag has changed since the refs were read, the next run reads the tags again. */
    isWhole: seen === wanted.size,
  };
}

async function storeReleases({ context, git, origin, observedAt }: GitCollection, wanted: ReadonlyMap<string, string>) {
  const batches = new RecordBatches(context);
  const warnings: string[] = [];
  const names: string[] = [];
  let seen = 0;
  if (wanted.size > 0) {
    for await (const tag of readTags(git)) {
      // A tag that was moved after the refs were read may now point at a commit that is not public.
      if (wanted.get(tag.name) !== tag.sha) continue;
      seen += 1;
      const release = releaseOf(tag, observedAt, origin);
      if (typeof release === 'string') warnings.push(release);
      else {
        await batches.add(release);
        names.push(tag.name);
      }
    }
  }
  return { warnings, names, seen, written: await batches.finish() };
}

type RawTag = ReturnType<typeof tagOf>;

const PEOPLE = ['tagger', '*tagger', '*committer', 'committer', '*author', 'author'].map((person) => `%(${person})`);
const MESSAGE = ['contents:signature', 'contents'].map((part) => `%(if:equals=tag)%(objecttype)%(then)%(${part})%(end)`);
const FORMAT = `--format=${['%(refname)', '%(objectname)', ...PEOPLE, ...MESSAGE].join('%00')}%00`;
const FIELDS = 10;

async function* readTags(git: Git): AsyncGenerator<RawTag, void, undefined> {
  let fields: string[] = [];
  for await (const tokens of git.tokens(['for-each-ref', FORMAT, 'refs/tags/'])) {
    for (const token of tokens) {
      fields.push(textOf(token));
      if (fields.length < FIELDS) continue;
      yield tagOf(fields);
      fields = [];
    }
  }
}

function tagOf([refname = '', sha = '', ...rest]: readonly string[]) {
  const [signature = '', contents = ''] = rest.slice(PEOPLE.length);
  return {
    // Each tag except the first begins with the line break that ends the previous one.
    name: refname.trimStart().slice('refs/tags/'.length),
    sha,
    /** The date of the tagger, or else of the commit. */
    published: firstDate(rest.slice(0, PEOPLE.length)),
    /** Of an annotated tag, without its signature. */
    message: contents.slice(0, contents.length - signature.length),
  };
}
