import { basename } from 'node:path';
import type { ArticleOrigin } from '../articles/article-origin.js';
import { documentFileError } from '../documents/document-file-error.js';
import { FilesSource } from '../documents/files-source.js';
import { isFolder } from '../documents/read-text-file.js';
import { parseChangelog } from './parse-changelog.js';

export interface ChangelogSourceOptions extends ArticleOrigin {
  readonly path: string;
  readonly intervalMs: number;
}

const MAX_BYTES = 5 * 1_024 * 1_024;

/** The source for a file of the format Keep a Changelog: an article for each released version. A version that is gone from the file is removed. */
export function changelogSource({ path, intervalMs, ...origin }: ChangelogSourceOptions): FilesSource {
  const { label, repositoryRef, publicUrl, language, apiUrl } = origin;
  return new FilesSource({
    intervalMs,
    registration: { id: `changelog:${label}`, sourceType: 'changelog', label, repositoryRef, feeds: ['article'] },
    settings: () => [path, publicUrl, language, apiUrl('')],
    maxBytes: MAX_BYTES,
    find: async (access, signal) => {
      // Also if the file is missing: its articles must stay.
      if (await isFolder(path, access, signal)) throw documentFileError(path, Object.assign(new Error(), { syscall: 'read', code: 'EISDIR' }));
      return { files: [{ path, name: basename(path) }], warnings: [] };
    },
    parse: (file) => parseChangelog(file, origin),
  });
}
