import type { Release, WithRepository } from '@vitrine/core';
import type { VNode } from 'preact';
import type { Href } from '../page-links.js';
import type { View } from '../view.js';
import { releaseName } from './entries.js';
import { ExternalLink } from './inline.js';

/** The page of a forge that compares two releases, by the address that it gives to a release; `null` for releases of no forge. */
const OF_FORGE = /^(https?:\/\/.+?)(?:\/releases\/tag|(\/-)\/releases)\/[^/]+$/;

/**
 * Where to see what changed between two releases of a repository: the comparison of its forge, or the commits. `null` if there is no older release, if commits cannot
 * lie between them, and in a copy of the site without that list.
 */
export function comparison({ record, repository }: WithRepository<Release>, before: Release | null, view: View): VNode | null {
  const { t } = view;
  if (before === null) return null;
  const [, base, prefix = ''] = OF_FORGE.exec(record.sourceUrl) ?? [];
  const tags = [before.tagName, record.tagName].map(encodeURIComponent).join('...');
  if (base !== undefined) return <ExternalLink href={`${base}${prefix}/compare/${tags}`}>{t.record.compare(releaseName(before))}</ExternalLink>;
  if (before.publishedAt >= record.publishedAt) return null;
  const href = commitsBetween({ record, repository }, before, view);
  return href === undefined ? null : <a href={href}>{t.record.commitsSince(releaseName(before))}</a>;
}

export function commitsBetween({ record, repository }: WithRepository<Release>, before: Release, { links, format }: View): Href {
  return links.list('commits', {
    repository: repository.fullName,
    from: format.iso(before.publishedAt + 1),
    to: format.iso(record.publishedAt),
  });
}
