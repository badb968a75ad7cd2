import { createHash } from 'node:crypto';
import type { Release, RepositoryRef } from '@vitrine/core';
import type { ArticleOrigin } from '../articles/article-origin.js';
import { FilesSource, type SourceFile } from '../documents/files-source.js';
import { parseReleaseNotes, versionOfTag } from './parse-changelog.js';

export interface ReleaseChangelogOptions extends ArticleOrigin {
  readonly repositoryRef: RepositoryRef;
  readonly intervalMs: number;
}

/**
 * The source that makes a changelog of the stored releases of a repository: an article for each release that has notes. Whatever brings the releases, this source reads
 * them from the store. An article whose release is gone is removed.
 */
export function releaseChangelogSource({ intervalMs, ...origin }: ReleaseChangelogOptions): FilesSource {
  const { label, repositoryRef, publicUrl, language } = origin;
  return new FilesSource({
    intervalMs,
    registration: { id: `changelog:${label}`, sourceType: 'changelog', label, repositoryRef, feeds: ['article'] },
    settings: () => ['releases 2', publicUrl, language],
    find: async (context) => {
      const newest = new Map<string, Release>();
      let repeated = 0;
      for await (const release of context.collection.releasesOf(repositoryRef, context)) {
        if (release.body.trim() === '') continue;
        const version = versionOfTag(release.tagName);
        const known = newest.get(version);
        if (known !== undefined) repeated += 1;
        if (known === undefined || known.publishedAt < release.publishedAt) newest.set(version, release);
      }
      const warnings = repeated === 0 ? [] : [`${label}: releases with the version of a newer one, which were left out: ${String(repeated)}`];
      return { files: [...newest].map(([version, release]) => releaseFile(version, release, origin)), warnings };
    },
  });
}

function releaseFile(version: string, release: Release, origin: ArticleOrigin): SourceFile {
  const { publishedAt, sourceUrl, body } = release;
  const hash = createHash('sha256')
    .update(JSON.stringify([publishedAt, sourceUrl, body]))
    .digest('base64url');
  return {
    name: version,
    look: () => Promise.resolve({ version: hash, modifiedAt: publishedAt }),
    parse: ({ now }) => Promise.resolve({ articles: [parseReleaseNotes({ version, release, now }, origin)], warnings: [] }),
  };
}
