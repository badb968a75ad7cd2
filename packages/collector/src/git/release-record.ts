import { createHash } from 'node:crypto';
import { publicId, withoutEmail, type Instant, type Release } from '@vitrine/core';
import { claimedInstant } from './commit-record.js';
import { provenanceOf, type GitOrigin } from './git-origin.js';
import { cut, MAX_TEXT, MAX_TITLE, publicLine, publicText } from './public-text.js';
import { releaseTypeOf } from './release-type.js';
import type { RawTag } from './tag-log.js';

/** The public id of the release that a tag makes. */
export function releaseIdOf(origin: GitOrigin, tagName: string): string {
  return publicId(`${origin.name.fullName}@${tagName}`, (text) => createHash('sha256').update(text).digest('hex'));
}

/** Why a tag of this name makes no release; `null` when it may. */
export function refusedTagName(name: string): string | null {
  if (withoutEmail(name) !== name) return 'a tag was left out: its name holds an e-mail address';
  return name.includes('\ufffd') ? `tag "${name}" was left out: its name is not UTF-8` : null;
}

export function releaseRecord(raw: RawTag & { readonly published: number }, observedAt: Instant, origin: GitOrigin): Release {
  const name = publicLine(raw.name, MAX_TITLE);
  const { releaseType, isVersion } = releaseTypeOf(raw.name);
  const sourceUrl = origin.addresses.tag(raw.name);
  const publishedAt = claimedInstant(raw.published * 1_000);
  return {
    kind: 'release',
    repositoryRef: origin.ref,
    id: releaseIdOf(origin, raw.name),
    tagName: name,
    name,
    body: cut(publicText(raw.message).trim(), MAX_TEXT),
    platform: null,
    releaseType,
    publishedAt,
    sourceUrl,
    provenance: provenanceOf(origin, { sourceUrl, observedAt, publishedAt, confidence: isVersion ? 'high' : 'medium' }),
  };
}
