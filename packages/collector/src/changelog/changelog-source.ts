import { basename } from 'node:path';
import type { ArticleOrigin } from '../articles/article-origin.js';
import { FilesSource } from '../documents/files-source.js';
import { requireFile } from '../documents/read-text-file.js';
import { parseChangelog } from './parse-changelog.js';

export interface ChangelogSourceOptions extends ArticleOrigin {
  readonly path: string;
  readonly intervalMs: number;
}

export const MAX_CHANGELOG_BYTES = 5 * 1_024 * 1_024;

/** The source for a file of the format Keep a Changelog: an article for each released version. A version that is gone from the file is removed. */
export function changelogSource({ path, intervalMs, ...origin }: ChangelogSourceOptions): FilesSource {
  const { label, repositoryRef, publicUrl, language, defaultUrl } = origin;
  return new FilesSource({
    intervalMs,
    registration: { id: `changelog:${label}`, sourceType: 'changelog', label, repositoryRef, feeds: ['article'] },
    settings: () => [path, publicUrl, language, defaultUrl('')],
    maxBytes: MAX_CHANGELOG_BYTES,
    find: async (access, signal) => {
      // A file that is missing is a failure, so its articles stay.
      await requireFile(path, access, signal);
      return { files: [{ path, name: basename(path) }], warnings: [] };
    },
    parse: (file) => parseChangelog(file, origin),
  });
}
