import { createHash } from 'node:crypto';
import { publicId, publishableRecord, quotable, type Instant, type Release } from '@vitrine/core';
import { claimedInstant } from './commit-record.js';
import { provenanceOf, type GitOrigin } from './git-origin.js';
import { cut, MAX_TEXT, MAX_TITLE, plainName, publicLine, publicText } from './public-text.js';
import { releaseTypeOf } from './release-type.js';
import type { RawTag } from './tag-log.js';

/** The public id of a tag's release. */
export function releaseIdOf(origin: GitOrigin, tagName: string): string {
  return publicId(`${origin.name.fullName}@${tagName}`, (text) => createHash('sha256').update(text).digest('hex'));
}

/** The result for a tag: its release, or a warning that says why it was left out. */
export type TagMeaning = { readonly release: Release } | { readonly warning: string };

export function releaseOf(tag: RawTag, observedAt: Instant, origin: GitOrigin): TagMeaning {
  const { published } = tag;
  const shown = `tag "${quotable(tag.name)}" was left out`;
  if (tag.name.includes('\ufffd')) return { warning: `${shown}: its name is not UTF-8` };
  if (published === null) return { warning: `${shown}: it has no date and leads to no commit` };
  const release = publishableRecord(releaseRecord({ ...tag, published }, observedAt, origin));
  return typeof release === 'string' ? { warning: 'a tag was left out: its name holds an e-mail address' } : { release };
}

function releaseRecord(raw: RawTag & { readonly published: number }, observedAt: Instant, origin: GitOrigin): Release {
  const { releaseType, isVersion } = releaseTypeOf(raw.name);
  const sourceUrl = origin.addresses.tag(raw.name);
  const publishedAt = claimedInstant(raw.published * 1_000);
  return {
    kind: 'release',
    repositoryRef: origin.ref,
    id: releaseIdOf(origin, raw.name),
    tagName: plainName(raw.name, MAX_TITLE),
    name: publicLine(raw.name, MAX_TITLE),
    body: cut(publicText(raw.message, MAX_TEXT).trim(), MAX_TEXT),
    platform: null,
    releaseType,
    publishedAt,
    sourceUrl,
    provenance: provenanceOf(origin, { sourceUrl, observedAt, publishedAt, confidence: isVersion ? 'high' : 'medium' }),
  };
}
