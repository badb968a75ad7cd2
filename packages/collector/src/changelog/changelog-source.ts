import { basename } from 'node:path';
import { NO_REPOSITORY, type Instant, type ScopeRef } from '@vitrine/core';
import type { ArticleOrigin } from '../articles/article-origin.js';
import { diskAccess, diskFile } from '../documents/disk-file.js';
import { FilesSource } from '../documents/files-source.js';
import { requireFile } from '../documents/read-text-file.js';
import { gitFiles } from '../git/git-files.js';
import type { GitReading } from '../git/default-tree.js';
import type { SourceContext } from '../source.js';
import { parseChangelog, versionOfTag, type TagTimes } from './parse-changelog.js';

export interface ChangelogSourceOptions extends ArticleOrigin {
  /** The file: on disk, or within the repository. */
  readonly path: string;
  /** The repository whose default branch is read. Default: the file is on disk. */
  readonly git?: GitReading | null;
  readonly intervalMs: number;
}

/** Counted up when the same files give other records than before. */
const FORMAT = 2;
export const MAX_CHANGELOG_BYTES = 5 * 1_024 * 1_024;

/** The source for a file of the format Keep a Changelog: an article for each released version. A version that is gone from the file is removed. */
export function changelogSource({ path, git = null, intervalMs, ...origin }: ChangelogSourceOptions): FilesSource {
  const { label, repositoryRef, publicUrl, language, defaultUrl } = origin;
  return new FilesSource({
    intervalMs,
    registration: { id: `changelog:${label}`, sourceType: 'changelog', label, repositoryRef, feeds: ['article'] },
    settings: () => [FORMAT, path, ...(git === null ? [] : [git.location]), publicUrl, language, defaultUrl('')],
    find: async (context) => {
      const tags = await tagTimes(repositoryRef, context);
      const parse = (file: Parameters<typeof parseChangelog>[0]) => parseChangelog(file, origin, tags);
      const one = { path, isFolder: false, isWanted: () => true, mostFiles: 1, maxBytes: MAX_CHANGELOG_BYTES, parse };
      if (git !== null) return gitFiles(git, one, context);
      // A file that is missing is a failure, so its articles stay.
      await requireFile(path, diskAccess, context.signal);
      return { files: [diskFile({ path, name: basename(path) }, MAX_CHANGELOG_BYTES, parse)], warnings: [] };
    },
  });
}

/** When the stored releases of a repository were published, for versions without a date. */
async function tagTimes(repositoryRef: ScopeRef, context: SourceContext): Promise<TagTimes> {
  const times = new Map<string, Instant>();
  if (repositoryRef === NO_REPOSITORY) return times;
  for await (const { tagName, publishedAt } of context.collection.releasesOf(repositoryRef, context)) times.set(versionOfTag(tagName), publishedAt);
  return times;
}
