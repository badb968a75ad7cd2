import type { Commit, Finding, Release } from '@vitrine/core';
import { object } from './codec.js';
import { documentSpec } from './document-spec.js';
import { provenance, publicId, repositoryRef, sha } from './shared-fields.js';
import { instant, list, nullable, optional, text, whole } from './values.js';

export const commitDocument = documentSpec<Commit>(
  'commit',
  object({
    repositoryRef,
    sha,
    title: text,
    description: text,
    authorName: text,
    authorLogin: text,
    branch: nullable(text),
    additions: whole(0),
    deletions: whole(0),
    filesChanged: whole(0),
    changeType: nullable(text),
    committedAt: instant,
    changedPaths: list(text),
    provenance,
  }),
  { authorKeys: { schema: list(text).schema, of: ({ authorLogin, authorName }) => authorKeys(authorLogin, authorName) } },
);

/** The stored values that the filter `author` matches: a login in any case, or an exact name. */
export function authorFilter(author: string): readonly string[] {
  return [loginKey(author), nameKey(author)];
}

function authorKeys(login: string, name: string): readonly string[] {
  return [...(login === '' ? [] : [loginKey(login)]), nameKey(name)].map((key) => key.toWellFormed());
}

function loginKey(login: string): string {
  return `login=${login.toLowerCase()}`;
}

function nameKey(name: string): string {
  return `name=${name}`;
}

export const releaseDocument = documentSpec<Release>(
  'release',
  object({
    repositoryRef,
    id: publicId,
    tagName: text,
    name: text,
    body: text,
    platform: nullable(text),
    releaseType: text,
    publishedAt: instant,
    sourceUrl: text,
    assets: optional(list(object({ name: text, platform: nullable(text), size: nullable(whole(0)), url: text }))),
    provenance,
  }),
);

export const findingDocument = documentSpec<Finding>(
  'finding',
  object({
    repositoryRef,
    id: publicId,
    title: text,
    summary: text,
    status: text,
    changeType: text,
    evidence: object({ branch: text, additions: whole(0), deletions: whole(0), files: list(text), commitSha: optional(sha) }),
    detectedAt: instant,
    sourceUrl: text,
    provenance,
  }),
);
