import { createHash } from 'node:crypto';
import { list, object } from '@vitrine/config/internal';
import { changeTypeOf, MAX_ASSETS, MAX_CHANGED_PATHS, publicId } from '@vitrine/core';
import { z } from 'zod';
import { inScope, lineReader, provenanceOf, scoped, scopeOfLine } from '../line-reader.js';
import {
  body,
  count,
  filePath,
  instant,
  line,
  provenance,
  publicIdText,
  repository,
  repositoryRef,
  sha,
  shortText,
  tagName,
  texts,
  title,
  url,
  word,
} from '../record-fields.js';

export const repositoryLine = lineReader(
  object('a repository', {
    kind: z.literal('repository'),
    fullName: repository,
    repositoryRef: repositoryRef.exactOptional(),
    defaultBranch: shortText.nullable().default(null),
    description: line.exactOptional(),
    language: shortText.exactOptional(),
    lastSyncedAt: instant.nullable().default(null),
    provenance,
  }),
  ({ fullName: name, repositoryRef: ref, ...fields }, context) =>
    inScope(scopeOfLine(name, ref, context), (scope) => ({
      ...fields,
      ...name,
      repositoryRef: scope,
      lastSyncedAt: fields.lastSyncedAt ?? context.now,
      provenance: provenanceOf(fields.provenance, context.now),
    })),
);

export const commitLine = lineReader(
  object('a commit', {
    kind: z.literal('commit'),
    ...scoped,
    sha,
    title: line,
    description: body.default(''),
    authorName: line,
    authorLogin: shortText.default(''),
    branch: shortText.nullable().default(null),
    additions: count,
    deletions: count,
    filesChanged: count,
    changeType: word.nullable().exactOptional(),
    committedAt: instant,
    changedPaths: list('a list of changed paths', filePath, MAX_CHANGED_PATHS).default([]),
    provenance,
  }),
  // Field by field, because most lines are commits, and that is faster than destructuring.
  (line, context) =>
    inScope(scopeOfLine(line.repository, line.repositoryRef, context), (repositoryRef) => ({
      kind: line.kind,
      repositoryRef,
      sha: line.sha,
      title: line.title,
      description: line.description,
      authorName: line.authorName,
      authorLogin: line.authorLogin,
      branch: line.branch,
      additions: line.additions,
      deletions: line.deletions,
      filesChanged: line.filesChanged,
      changeType: line.changeType === undefined ? changeTypeOf(line.title, line.changedPaths) : line.changeType,
      committedAt: line.committedAt,
      changedPaths: line.changedPaths,
      provenance: provenanceOf(line.provenance, context.now),
    })),
);

const asset = object('an object with name and url', {
  name: shortText,
  platform: word.nullable().default(null),
  size: count.nullable().default(null),
  url,
});

export const releaseLine = lineReader(
  object('a release', {
    kind: z.literal('release'),
    ...scoped,
    id: publicIdText.nullable().default(null),
    tagName,
    name: line,
    body: body.default(''),
    platform: word.nullable().default(null),
    releaseType: word,
    publishedAt: instant,
    sourceUrl: url,
    assets: list('a list of files', asset, MAX_ASSETS).exactOptional(),
    provenance,
  }),
  ({ repository: name, repositoryRef: ref, ...fields }, context) =>
    inScope(scopeOfLine(name, ref, context), (scope) => ({
      ...fields,
      repositoryRef: scope,
      id: fields.id ?? publicId(`${name.fullName}@${fields.tagName}`, sha256Hex),
      provenance: provenanceOf(fields.provenance, context.now),
    })),
);

export const findingLine = lineReader(
  object('a finding', {
    kind: z.literal('finding'),
    ...scoped,
    id: publicIdText,
    title,
    summary: body,
    status: word,
    changeType: word,
    evidence: object('an object with branch, additions, deletions and files', {
      branch: shortText,
      additions: count,
      deletions: count,
      files: texts('changed paths', filePath),
      commitSha: sha.exactOptional(),
    }),
    detectedAt: instant,
    sourceUrl: url,
    provenance,
  }),
  ({ repository: name, repositoryRef: ref, ...fields }, context) =>
    inScope(scopeOfLine(name, ref, context), (scope) => ({
      ...fields,
      repositoryRef: scope,
      provenance: provenanceOf(fields.provenance, context.now),
    })),
);

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
